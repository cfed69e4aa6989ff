"""Turn an MCP server into items of this project, and keep them in step with it.

`add` and `refresh` write YAML items without a signature: nothing of them can run before somebody has read and signed
them. `refresh` connects as the signed server item says, never as a changed file would have it.
"""

import difflib
import json
import os
import re
from typing import Any, Dict, List

from _client import VARIABLE, MissingVariable, Refused, discover, main, read_config, signed_config

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/script"
__category__ = "rye/mcp"
__tool_description__ = "Add an MCP server to this project, or list, refresh and remove those that were wrapped as items"

tags = ["mcp", "add", "wrap", "connect", "install", "refresh", "update", "remove", "manage"]

CONFIG = {
    "timeout": 150,
    "concurrency": "exclusive",
    "item_resolve": {"server": {"id": "mcp/servers/{name}", "when": {"action": "refresh"}}},
    "permissions": {"network": ["*:*", "{resolved_items.server.config.url}"]},
}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "action": {
            "type": "string",
            "enum": ["add", "list", "refresh", "remove"],
            "description": "add: write items; list: what is here; refresh: compare with the server; remove: delete",
        },
        "name": {
            "type": "string",
            "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
            "description": "Short name; what is written becomes `mcp/servers/NAME` and `mcp/NAME/TOOL`",
        },
        "url": {"type": "string", "description": "add: address of a streamable HTTP server"},
        "headers": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "add: sent with each request; write secrets as `${NAME}`",
        },
        "allow_private": {
            "type": "boolean",
            "default": False,
            "description": "add: write an item that allows plain http and private addresses; not asked before it is signed",
        },
        "command": {"type": "string", "description": "add: program of a stdio server, such as `npx`"},
        "args": {"type": "array", "items": {"type": "string"}, "default": [], "description": "add: its arguments"},
        "env": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "add: its variables; write secrets as `${NAME}`",
        },
        "network": {
            "type": "array",
            "items": {"type": "string"},
            "default": ["*"],
            "description": "add: hosts that a stdio server may reach; `*` is the public web, an empty list closes it",
        },
        "apply": {
            "type": "boolean",
            "default": True,
            "description": "refresh: false shows what changed and writes nothing",
        },
        "timeout": {"type": "number", "exclusiveMinimum": 0, "maximum": 120, "default": 30, "description": "Seconds"},
    },
    "required": ["action"],
    "additionalProperties": False,
}

MOST_DIFF_LINES = 60


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Does one action. Ids in `sign` are to be read and signed before they can be used."""
    actions = {"add": add, "list": list_servers, "refresh": refresh, "remove": remove}
    try:
        if params["action"] != "list" and "name" not in params:
            raise Refused(f"{params['action']} needs the name of a server")
        if params.get("name") == "servers":
            raise Refused("`servers` is the folder of the servers: choose another name")
        return {"success": True, **actions[params["action"]](params, Folder(project_path))}
    except Refused as fault:
        return {"success": False, "error": str(fault)}
    except OSError as fault:
        return {"success": False, "error": f"`{fault.filename}`: {fault.strerror}"}


def add(params: Dict[str, Any], folder: "Folder") -> Dict[str, Any]:
    """Asks the server first, so that nothing is written for one that does not answer."""
    name = params["name"]
    if f"mcp/servers/{name}" in folder.ids("mcp/servers"):
        raise Refused(f"server `{name}` is here already: refresh it, or remove it first")
    config = read_config(params)
    if "url" in config and params.get("allow_private", False):
        why = "only a signed server item may reach plain http and private addresses"
        return add_server(name, server_item(name, {**config, "allow_private": True}, []), why, folder)
    definition = server_item(name, config, params.get("network", ["*"]))
    try:
        found = discover(config, folder.project, params.get("timeout", 30))
    except MissingVariable as fault:
        why = f"`{fault.name}` is not known here, but a signed server item may use it"
        return add_server(name, definition, why, folder)
    folder.write(f"mcp/servers/{name}", definition)
    items = tool_items(name, found)
    for item_id, item in items.items():
        folder.write(item_id, item)
    wanted = [f"mcp/servers/{name}", f"mcp/{name}/*"]
    return {"server": f"mcp/servers/{name}", "tools": sorted(items), "sign": wanted, "note": NOTE}


def add_server(name: str, definition: str, why: str, folder: "Folder") -> Dict[str, Any]:
    """Writes the server's item alone: it is asked for its tools once somebody has signed that."""
    folder.write(f"mcp/servers/{name}", definition)
    note = f"{why}: sign it, then refresh `{name}`"
    return {"server": f"mcp/servers/{name}", "tools": [], "sign": [f"mcp/servers/{name}"], "note": note}


NOTE = "names and descriptions come from the server: read them, then sign (item_type tool) and execute"


def refresh(params: Dict[str, Any], folder: "Folder") -> Dict[str, Any]:
    """Compares the items with what the server offers now; items that are the same keep their signatures."""
    name = params["name"]
    config = signed_config(f"mcp/servers/{name}", params["resolved_items"].get("server"))
    items = tool_items(name, discover(config, folder.project, params.get("timeout", 30)))
    present = {item_id: folder.read(item_id) for item_id in folder.ids(f"mcp/{name}")}
    added = sorted(items.keys() - present.keys())
    removed = sorted(present.keys() - items.keys())
    changed = {item_id: compare(present[item_id], items[item_id]) for item_id in sorted(items.keys() & present.keys())}
    changed = {item_id: change for item_id, change in changed.items() if change is not None}
    if params.get("apply", True):
        for item_id in added:
            folder.write(item_id, items[item_id])
        for item_id, (text, _) in changed.items():
            folder.write(item_id, text)
        for item_id in removed:
            folder.delete(item_id)
    return {
        "server": f"mcp/servers/{name}",
        "added": added,
        "removed": removed,
        "changed": [{"id": item_id, "diff": diff} for item_id, (_, diff) in changed.items()],
        "unchanged": len(items) - len(added) - len(changed),
        "applied": params.get("apply", True),
        "sign": sorted([*added, *changed]) if params.get("apply", True) else [],
    }


def list_servers(params: Dict[str, Any], folder: "Folder") -> Dict[str, Any]:
    """Servers of the project with the tools that were written for each."""
    names = [item_id.rpartition("/")[2] for item_id in folder.ids("mcp/servers")]
    return {
        "servers": [
            {"name": name, "server": f"mcp/servers/{name}", "tools": folder.ids(f"mcp/{name}")}
            for name in names
            if params.get("name") in (None, name)
        ]
    }


def remove(params: Dict[str, Any], folder: "Folder") -> Dict[str, Any]:
    """Deletes the items of a server."""
    name = params["name"]
    server = f"mcp/servers/{name}"
    removed = [item_id for item_id in [*folder.ids(f"mcp/{name}"), server] if folder.delete(item_id)]
    if not removed:
        raise Refused(f"no server `{name}` in this project")
    return {"removed": removed}


def server_item(name: str, config: Dict[str, Any], network: List[str]) -> str:
    """The definition of the server. Variables without a default are declared as secrets; a process of ours needs hosts."""
    kept = {key: value for key, value in config.items() if value not in ({}, [])}
    texts = [str(value) for part in config.values() for value in (part.values() if isinstance(part, dict) else [part])]
    names = sorted({found.group(1) for text in texts for found in VARIABLE.finditer(text) if found.group(2) is None})
    item = {
        "tool_type": "mcp_server",
        "executor_id": None,
        "category": "mcp/servers",
        "version": "1.0.0",
        "description": f"MCP server: {name}",
        **({"secrets": names} if names else {}),
        **({"permissions": {"network": network}} if config["transport"] == "stdio" else {}),
        "config": {**kept, "timeout": 30},
    }
    return print_yaml(item)


def tool_items(name: str, found: Dict[str, Any]) -> Dict[str, str]:
    """The item of each tool, by id. Names that fit no file are changed; the server's own name stays in `config`."""
    items: Dict[str, str] = {}
    for tool in found["tools"]:
        base = re.sub(r"[^A-Za-z0-9_.-]", "_", tool["name"])[:100].lstrip("._-") or "tool"
        item_id, count = f"mcp/{name}/{base}", 1
        while item_id in items:
            count += 1
            item_id = f"mcp/{name}/{base}-{count}"
        items[item_id] = print_yaml(
            {
                "tool_type": "mcp",
                "executor_id": f"rye/core/runtimes/mcp/{found['transport']}",
                "category": f"mcp/{name}",
                "version": "1.0.0",
                "description": tool["description"],
                "config": {"server": f"mcp/servers/{name}", "tool_name": tool["name"]},
                "input_schema": tool["input_schema"],
            }
        )
    return items


def compare(present: str, wanted: str) -> Any:
    """None when nothing but the version and the signature differ; else the new text and a diff."""
    old = re.sub(r"\A# rye:signed:.*\n", "", present)
    version = re.search(r'^version: "?(\d+)\.(\d+)\.\d+"?$', old, re.MULTILINE)
    if version is None:
        text = wanted
    elif wanted.replace(FIRST_VERSION, version.group(), 1) == old:
        return None
    else:
        text = wanted.replace(FIRST_VERSION, f'version: "{version.group(1)}.{int(version.group(2)) + 1}.0"', 1)
    lines = list(difflib.unified_diff(old.splitlines(), text.splitlines(), "before", "now", lineterm="", n=1))
    more = [f"... {len(lines) - MOST_DIFF_LINES} more lines"] if len(lines) > MOST_DIFF_LINES else []
    return text, [line[:300] for line in lines[:MOST_DIFF_LINES]] + more


FIRST_VERSION = 'version: "1.0.0"'


def print_yaml(value: Dict[str, Any]) -> str:
    return "\n".join(yaml_lines(value)) + "\n"


def yaml_lines(value: Any) -> List[str]:
    """Block style, every text in double quotes: no value can be read as another type or as more YAML."""
    lines: List[str] = []
    if isinstance(value, dict):
        entries = [(f"{yaml_key(key)}:", entry) for key, entry in value.items()]
    else:
        entries = [("-", entry) for entry in value]
    for label, entry in entries:
        if isinstance(entry, (dict, list)) and entry:
            lines.append(label)
            lines.extend(f"  {line}" for line in yaml_lines(entry))
        else:
            lines.append(f"{label} {yaml_scalar(entry)}")
    return lines


def yaml_key(key: str) -> str:
    return key if PLAIN_KEY.fullmatch(key) and key.lower() not in NOT_TEXT else yaml_scalar(key)


PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NOT_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}


def yaml_scalar(value: Any) -> str:
    """JSON is YAML, but for characters that YAML wants escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(character if character.isprintable() else yaml_escape(character) for character in text)


def yaml_escape(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


class Folder:
    """The tools of a project. Paths are made of checked names; a folder that is a link is refused."""

    def __init__(self, project_path: str) -> None:
        self.project = os.path.realpath(project_path)
        self.root = os.path.join(self.project, ".ai", "tools")

    def path(self, item_id: str) -> str:
        path = os.path.join(self.root, *item_id.split("/"))
        if os.path.realpath(os.path.dirname(path)) != os.path.dirname(path):
            raise Refused(f"a folder on the way to `{item_id}` is a link")
        return f"{path}.yaml"

    def ids(self, category: str) -> List[str]:
        folder = os.path.dirname(self.path(f"{category}/x"))
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [f"{category}/{name[:-5]}" for name in names if name.endswith(".yaml")]

    def read(self, item_id: str) -> str:
        with open(self.path(item_id), encoding="utf-8", errors="replace") as stream:
            return stream.read(2_000_000)

    def write(self, item_id: str, text: str) -> None:
        path = self.path(item_id)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.tmp"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)

    def delete(self, item_id: str) -> bool:
        path = self.path(item_id)
        try:
            os.unlink(path)
        except FileNotFoundError:
            return False
        try:
            os.rmdir(os.path.dirname(path))
        except OSError:
            pass
        return True


if __name__ == "__main__":
    main(execute)
