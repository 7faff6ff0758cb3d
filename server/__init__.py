"""The server: episodes over HTTP and WebSocket, through OpenEnv.

Importing this package imports nothing; `customs_env.server.app` is the application and brings OpenEnv with it.
"""
