"""Runs git operations."""
from pathlib import Path

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "git"
NAME = "git"
__tool_description__ = f"Runs {NAME} operations"

OPERATIONS = ("status", "diff", "log")
LIMIT = -1
BASE = {"type": "string", "minLength": 1}
PATH_KEY = "path"

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "operation": {**BASE, "enum": [*OPERATIONS, "help"], "description": "One of " + NAME + " operations"},
        PATH_KEY: {**BASE, "minLength": 2},
        "limit": {"type": "integer", "default": LIMIT, "examples": [LIMIT, +LIMIT, 10]},
    },
    "required": ["operation", PATH_KEY],
}


def execute(params, project_path):
    if params["operation"] not in OPERATIONS:
        raise ValueError("no such operation")
    return {"success": True, "data": str(Path(project_path))}


if __name__ == "__main__":
    OPERATIONS = execute({}, ".")
