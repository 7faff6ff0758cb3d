"""customs_env: Indian import clearance as a reinforcement-learning environment.

The Gymnasium ids `customs_env/Classification-v1`, `customs_env/DocumentValidation-v1` and
`customs_env/FullClearance-v1` are registered by importing this package. The engine without Gymnasium:
`customs_env.env.episode`.
"""

from customs_env.registration import ENV_IDS, register_with_gymnasium
from customs_env.versions import VERSIONS, __version__

register_with_gymnasium()

__all__ = ["ENV_IDS", "VERSIONS", "__version__"]
