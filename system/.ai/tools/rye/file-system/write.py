"""Create a file in the project, or replace one whole."""

import contextlib
import os
import secrets
import stat
from typing import Any, BinaryIO, Dict, List, Optional, Tuple

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/file-system"
__tool_description__ = "Create or overwrite a file in the project, with its folders; the file is never half written"

tags = ["file", "write", "create", "save", "new", "overwrite"]

CONFIG = {"timeout": 30, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "file_path": {
            "type": "string",
            "minLength": 1,
            "description": "File to write, relative to the project or absolute inside it",
        },
        "content": {"type": "string", "maxLength": 10000000, "description": "The whole new content"},
        "overwrite": {
            "type": "boolean",
            "default": True,
            "description": "False refuses to replace a file that is there already",
        },
    },
    "required": ["file_path", "content"],
    "additionalProperties": False,
}


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with the number of bytes, and whether the file is new."""
    name = params["file_path"]
    try:
        data = params["content"].encode("utf-8")
        root, steps = find(project_path, name, to_write=True)
        if not steps or name.endswith("/"):
            raise Refused(f"expected the name of a file, got the folder `{name}`")
        known = look(root, steps)
        if known is not None and not stat.S_ISREG(known.st_mode):
            raise Refused(f"`{name}` is not a file")
        if known is not None and not params.get("overwrite", True):
            raise Refused(f"`{name}` exists already: set overwrite to true, or choose another name")
        replace_file(root, steps, data, known=known)
    except UnicodeEncodeError:
        return failure(Refused("content holds half a surrogate pair, which no file can hold as text"), name)
    except (Refused, OSError) as fault:
        return failure(fault, name)
    return {
        "success": True,
        "file_path": "/".join(steps),
        "bytes_written": len(data),
        "created": known is None,
    }


def look(root: str, steps: List[str]) -> Optional[os.stat_result]:
    """The file as it is now, or None when it, or a folder on the way, does not exist yet."""
    try:
        folder = open_folder(root, steps[:-1])
    except FileNotFoundError:
        return None
    try:
        return find_entry(folder, steps[-1])
    finally:
        os.close(folder)


# --- writing: the same lines in `write` and `edit` ---
def replace_file(root: str, steps: List[str], data: bytes, *, known: Optional[os.stat_result]) -> None:
    """Puts a new file in the place of the old one in one step; `known` is the old one as it was seen, or None."""
    folder = open_folder(root, steps[:-1], create=True)
    temporary = f".{secrets.token_hex(8)}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as stream:
            if known is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(known.st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if identity(find_entry(folder, steps[-1])) != identity(known):
            raise Refused(f"`{'/'.join(steps)}` changed meanwhile: read it again")
        os.replace(temporary, steps[-1], src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    finally:
        os.close(folder)


def find_entry(folder: int, name: str) -> Optional[os.stat_result]:
    """What lies in the folder under the name, links not followed."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def identity(seen: Optional[os.stat_result]) -> Tuple[int, ...]:
    """What changes when a file is replaced or written to."""
    return () if seen is None else (seen.st_ino, seen.st_size, seen.st_mtime_ns)
# --- end ---


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
