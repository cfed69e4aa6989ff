import os
from _version import __version__

__tool_type__ = "py" if os else "python"
__executor_id__ = os.environ["RUNTIME"]
__category__ = f"{os.sep}demo"
__tool_description__ = b"bytes"
CONFIG_SCHEMA = {"type": "object", "properties": dict(a=1)}
ENV_CONFIG = {**os.environ}
CONFIG = {"timeout": 60 * 5}
CONFIG_RESOLVE = [x for x in ()]
