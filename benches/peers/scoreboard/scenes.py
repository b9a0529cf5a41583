"""All scenes of the scoreboard, in its order."""

import friction  # noqa: F401: each adds its scenes
import limits  # noqa: F401
import motion  # noqa: F401
import piles  # noqa: F401
from truth import SCENES

__all__ = ["SCENES"]
