CONFIG = {"z": 1 + 2j}
ENV_CONFIG = ...
CONFIG_SCHEMA = {"max": 1e999}
__version__ = "1.0.0"
