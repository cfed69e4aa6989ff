"""Facts about the machine, the time and the places that items are kept in."""

import datetime
import os
import platform
import shutil
import sys
import tempfile
import time
from typing import Any, Dict

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/core"
__tool_description__ = "System information: operating system, programs, current date and time, paths of the project"

tags = ["system", "info", "time", "date", "now", "clock", "paths", "platform", "environment", "version"]

CONFIG = {"timeout": 10, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "what": {
            "type": "string",
            "enum": ["all", "info", "time", "paths"],
            "default": "all",
            "description": "Which facts to answer with",
        },
    },
    "additionalProperties": False,
}

PROGRAMS = ["bash", "git", "node", "npm", "python3", "docker", "curl"]
FOLDERS = ["directives", "tools", "knowledge", "skills", "config"]


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with one object per kind of fact."""
    makers = {"info": info, "time": now, "paths": lambda: paths(project_path)}
    what = params.get("what", "all")
    wanted = list(makers) if what == "all" else [what]
    return {"success": True, **{name: makers[name]() for name in wanted}}


def info() -> Dict[str, Any]:
    """The machine, and which common programs a tool can start."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "programs": {name: path for name in PROGRAMS for path in [shutil.which(name)] if path},
    }


def now() -> Dict[str, Any]:
    """This moment, in the zone of the machine and in UTC."""
    moment = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    local = moment.astimezone()
    return {
        "utc": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "local": local.isoformat(),
        "zone": local.tzname(),
        "weekday": local.strftime("%A"),
        "unix": int(time.time()),
    }


def paths(project_path: str) -> Dict[str, Any]:
    """The project, which type folders its `.ai` has, and places outside that tools often need."""
    items = os.path.join(project_path, ".ai")
    return {
        "project": project_path,
        "items": items,
        "type_folders": [name for name in FOLDERS if os.path.isdir(os.path.join(items, name))],
        "home": os.path.expanduser("~"),
        "temporary": tempfile.gettempdir(),
        "python": sys.executable,
    }
