"""Everything."""
__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = None
__category__ = "demo"
__tool_description__ = "All of it"
CONFIG_SCHEMA = {"type": "object", "properties": {}}
ENV_CONFIG = {"interpreter": {"type": "local_binary", "binary": "python", "candidates": ["python3"]}}
CONFIG = {"command": "${RYE_PYTHON}", "timeout": 300}
CONFIG_RESOLVE = {"mode": "deep_merge"}
TOOL_NAME = "extra"
