# rye:signed:2026-02-15T07:11:41Z:x
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = "demo"
# __tool_description__ = "Lists files"
echo
