# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = "demo"
# __tool_description__ = "Lists files"
# CONFIG_SCHEMA = {"type": "object",
#   "properties": {
echo
