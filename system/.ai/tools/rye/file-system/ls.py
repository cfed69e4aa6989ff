"""List a folder of the project."""

import contextlib
import os
import stat
from typing import Any, BinaryIO, Dict, List, Optional, Tuple

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/file-system"
__tool_description__ = "List a folder (directory) of the project: names, kinds and sizes, folders first"

tags = ["directory", "folder", "list", "ls", "dir", "files", "tree"]

CONFIG = {"timeout": 30, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "path": {
            "type": "string",
            "default": ".",
            "description": "Folder to list, relative to the project or absolute inside it",
        },
        "hidden": {"type": "boolean", "default": True, "description": "Also list names that begin with a dot"},
        "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "Entries to pass over"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 5000,
            "default": 500,
            "description": "Most entries to answer; `next_offset` says where to go on",
        },
    },
    "additionalProperties": False,
}

KINDS = {stat.S_IFDIR: "folder", stat.S_IFREG: "file", stat.S_IFLNK: "link"}
MOST_ENTRIES = 100_000


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with a page of entries and how many there are."""
    name = params.get("path", ".")
    try:
        root, steps = find(project_path, name)
        folder = open_folder(root, steps)
        try:
            entries = read_entries(folder, params.get("hidden", True))
        finally:
            os.close(folder)
    except NotADirectoryError:
        return failure(Refused(f"`{name}` is not a folder: read it with rye/file-system/read"), name)
    except (Refused, OSError) as fault:
        return failure(fault, name)
    offset, limit = params.get("offset", 0), params.get("limit", 500)
    answer: Dict[str, Any] = {
        "success": True,
        "path": "/".join(steps) or ".",
        "entries": entries[offset : offset + limit],
        "total": len(entries),
    }
    if offset + limit < len(entries):
        answer["next_offset"] = offset + limit
    return answer


def read_entries(folder: int, hidden: bool) -> List[Dict[str, Any]]:
    """Every entry with its kind and the size of files; links are named, not followed."""
    entries: List[Dict[str, Any]] = []
    for entry in os.listdir(folder)[:MOST_ENTRIES]:
        if entry.startswith(".") and not hidden:
            continue
        try:
            seen = os.stat(entry, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            continue
        kind = KINDS.get(stat.S_IFMT(seen.st_mode), "other")
        shown = entry.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        entries.append({"name": shown, "kind": kind, **({"size": seen.st_size} if kind == "file" else {})})
    return sorted(entries, key=lambda entry: (entry["kind"] != "folder", entry["name"]))


# --- inside the project: the same lines in every tool of this folder, so that each can be copied and changed alone ---
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class Refused(Exception):
    """What the caller can fix, in one sentence."""


def find(project_path: str, name: str, *, to_write: bool = False) -> Tuple[str, List[str]]:
    """The project's real path and the steps from it to `name`, links resolved; refuses whatever leads out."""
    root = os.path.realpath(project_path)
    try:
        real = os.path.realpath(os.path.join(root, name))
    except ValueError:
        raise Refused(f"`{ascii(name)}` is not a path") from None
    if real != root and not real.startswith(os.path.join(root, "")):
        raise Refused(f"`{name}` leads out of the project")
    steps = [] if real == root else os.path.relpath(real, root).split(os.sep)
    folded = "/".join(["", *(step.casefold() for step in steps), ""])
    if "/.ai/config/keys/" in folded:
        raise Refused("signing keys are not read or written by tools")
    if to_write and any(part in folded for part in ("/.git/", "/.ai/config/", "/.ai/state/")):
        raise Refused(f"`{name}` is not written by tools: `.git`, `.ai/config` and `.ai/state` decide what runs")
    return root, steps


def open_folder(root: str, steps: List[str], *, create: bool = False) -> int:
    """A descriptor of the folder, reached step by step: a folder that became a link meanwhile is refused."""
    folder = os.open(root, FOLDER)
    for step in steps:
        try:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(step, dir_fd=folder)
            inner = os.open(step, FOLDER, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inner
    return folder


def open_entry(folder: int, name: str) -> Optional[BinaryIO]:
    """The file of that name in the folder, for reading; None when it is not a regular file."""
    descriptor = os.open(name, FILE, dir_fd=folder)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    return None


def open_file(root: str, steps: List[str]) -> BinaryIO:
    """The file at the end of the steps, for reading."""
    folder = open_folder(root, steps[:-1])
    try:
        stream = open_entry(folder, steps[-1] if steps else ".")
    finally:
        os.close(folder)
    if stream is None:
        raise Refused(f"`{'/'.join(steps) or '.'}` is not a file")
    return stream


def failure(fault: Exception, name: str) -> Dict[str, Any]:
    """The answer to a call that could not be done."""
    reason = f"`{name}`: {fault.strerror.lower()}" if isinstance(fault, OSError) and fault.strerror else str(fault)
    return {"success": False, "error": reason}
# --- end ---
