"""Ask an MCP server which tools it has.

The server may be named by its signed item, or described by the caller. Plain http and private addresses are for a
signed item to allow, never for the caller. It runs as a process of its own: whatever a
server leaves running ends with it.
"""

from typing import Any, Dict

from _client import Refused, discover, main, read_config, signed_config

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/script"
__category__ = "rye/mcp"
__tool_description__ = "Discover the tools of an MCP server: list which tools the server has, by URL, command or item"

tags = ["mcp", "server", "tools", "mcp server tools", "discover", "list", "inspect"]

CONFIG = {
    "timeout": 150,
    "item_resolve": {"server": {"id": "{server}"}},
    "permissions": {"network": ["*:*", "{resolved_items.server.config.url}"]},
}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "server": {"type": "string", "description": "Id of a signed server item, such as `mcp/servers/context7`"},
        "url": {"type": "string", "description": "Public https address of a streamable HTTP server"},
        "headers": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Sent with each request; secrets belong in a signed server item",
        },
        "command": {"type": "string", "description": "Program of a stdio server, such as `npx`"},
        "args": {"type": "array", "items": {"type": "string"}, "default": [], "description": "Its arguments"},
        "env": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Its variables; secrets belong in a signed server item",
        },
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 120, "default": 30, "description": "Seconds"},
    },
    "additionalProperties": False,
}


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with `tools`: name, description and input schema of each."""
    try:
        item_id, found = params.get("server"), params["resolved_items"].get("server")
        config = read_config(params) if item_id is None else signed_config(item_id, found)
        return {"success": True, **discover(config, project_path, params.get("timeout", 30))}
    except Refused as fault:
        return {"success": False, "error": str(fault)}


if __name__ == "__main__":
    main(execute)
