import os
from shared import SHARED

__version__ = "1.0.0"
LIMITS = {"seconds": 60 * 5, "lines": 100}
MODES = ["fast"]
MODES.append("slow")

CONFIG_SCHEMA = {
    "type": "object",
    **SHARED,
    "properties": {
        "home": {"type": "string", "default": os.getcwd()},
        "mode": {"enum": MODES},
        "late": {"enum": [*LATER, "x"]},
    },
}
CONFIG = {**LIMITS, "retries": 3}
LATER = ["y"]
ENV_CONFIG = {"a": 1}
if os.environ.get("DEBUG"):
    ENV_CONFIG["a"] = 2
