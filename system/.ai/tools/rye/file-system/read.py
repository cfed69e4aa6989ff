"""Read the content of a text file of the project, a page of lines at a time."""

import contextlib
import difflib
import os
import stat
from typing import Any, BinaryIO, Dict, Iterator, List, Optional, Tuple

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/file-system"
__tool_description__ = "Read a file of the project: the content of a text file, or a page of its lines"

tags = ["file", "read", "open", "view", "show", "cat", "content", "lines"]

CONFIG = {"timeout": 30, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "file_path": {
            "type": "string",
            "minLength": 1,
            "description": "File whose content to read, relative to the project or absolute inside it",
        },
        "offset": {"type": "integer", "minimum": 1, "default": 1, "description": "First line to answer, from 1"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 10000,
            "default": 2000,
            "description": "Most lines to answer; `next_offset` says where to go on",
        },
    },
    "required": ["file_path"],
    "additionalProperties": False,
}

MOST_BYTES = 200_000
MOST_LINE_BYTES = 20_000


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with `content`, exactly as it stands in the file, and where it stands."""
    name = params["file_path"]
    try:
        root, steps = find(project_path, name)
        with open_file(root, steps) as stream:
            page = read_page(stream, params.get("offset", 1), params.get("limit", 2000))
        return {"success": True, "file_path": "/".join(steps), **page}
    except FileNotFoundError as fault:
        return {**failure(fault, name), **suggest(project_path, name)}
    except (Refused, OSError) as fault:
        return failure(fault, name)


def read_page(stream: BinaryIO, first: int, limit: int) -> Dict[str, Any]:
    """Reads on to the page and then the page itself, never more than a line at a time."""
    size = os.fstat(stream.fileno()).st_size
    if b"\0" in stream.peek(8192)[:8192]:
        raise Refused(f"expected text, got a binary file of {size} bytes")
    lines: List[bytes] = []
    cut: List[int] = []
    taken = number = 0
    more = False
    for line, whole in each_line(stream):
        number += 1
        if number < first:
            continue
        if len(lines) == limit or (lines and taken + len(line) > MOST_BYTES):
            more = True
            break
        lines.append(line)
        taken += len(line)
        if not whole:
            cut.append(number)
    if not lines and first > 1:
        raise Refused(f"expected offset to be at most {max(number, 1)}, the last line, got {first}")
    content, exact = decode(b"".join(lines))
    page: Dict[str, Any] = {"content": content, "first_line": first, "lines": len(lines), "size": size}
    if more:
        page["next_offset"] = number
    if cut:
        page["cut_lines"] = cut
    if not exact:
        page["warning"] = "the file is not UTF-8: bytes that are no text are shown as U+FFFD"
    return page


def each_line(stream: BinaryIO) -> Iterator[Tuple[bytes, bool]]:
    """Lines with their ends, and whether each is whole: of a very long one only the beginning is kept."""
    while True:
        line = stream.readline(MOST_LINE_BYTES)
        if not line:
            return
        whole = line.endswith(b"\n") or not stream.peek(1)
        if not whole:
            line = line.decode("utf-8", "ignore").encode() + b"\n"
            while (rest := stream.readline(65536)) and not rest.endswith(b"\n"):
                pass
        yield line, whole


def decode(data: bytes) -> Tuple[str, bool]:
    """The text, and whether it says exactly what the bytes say."""
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), False


def suggest(project_path: str, name: str) -> Dict[str, Any]:
    """Names in the same folder that are spelled much the same."""
    try:
        root, steps = find(project_path, os.path.dirname(name) or ".")
        folder = open_folder(root, steps)
    except (Refused, OSError):
        return {}
    try:
        near = difflib.get_close_matches(os.path.basename(name), os.listdir(folder)[:5000], 3)
    finally:
        os.close(folder)
    return {"did_you_mean": ["/".join([*steps, entry]) for entry in near]} if near else {}


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
