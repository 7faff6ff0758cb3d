"""Shipment files: papers, case, findings, policy, tasks, the canonical pool.

Truth has a module of its own, which few may import.
"""
