"""Replace an exact piece of text in a file of the project."""

import contextlib
import difflib
import os
import secrets
import stat
from typing import Any, BinaryIO, Dict, List, Optional, Tuple

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/file-system"
__tool_description__ = "Edit a file of the project: replace an exact piece of text, once or wherever it occurs"

tags = ["file", "edit", "change", "modify", "replace", "substitute", "update", "patch"]

CONFIG = {"timeout": 30, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "file_path": {
            "type": "string",
            "minLength": 1,
            "description": "File to change, relative to the project or absolute inside it",
        },
        "old_string": {
            "type": "string",
            "minLength": 1,
            "description": "The text to replace, exactly as it stands in the file, with enough around it to occur once",
        },
        "new_string": {"type": "string", "description": "What to put in its place; empty removes it"},
        "replace_all": {"type": "boolean", "default": False, "description": "Replace every occurrence"},
    },
    "required": ["file_path", "old_string", "new_string"],
    "additionalProperties": False,
}

MOST_BYTES = 10_000_000


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with the number of replacements and the lines around the first. All other bytes stay as they are."""
    name = params["file_path"]
    try:
        old, new = params["old_string"].encode("utf-8"), params["new_string"].encode("utf-8")
        root, steps = find(project_path, name, to_write=True)
        with open_file(root, steps) as stream:
            known = os.fstat(stream.fileno())
            if known.st_size > MOST_BYTES:
                raise Refused(f"expected a file of at most {MOST_BYTES} bytes, got {known.st_size}")
            data = stream.read()
        old, new = fit_line_ends(data, old, new)
        count = data.count(old)
        if old == new:
            raise Refused("old_string and new_string are the same: nothing would change")
        if count == 0:
            raise Refused(explain_absence(data, old))
        if count > 1 and not params.get("replace_all", False):
            lines = ", ".join(map(str, lines_of(data, old)))
            raise Refused(
                f"old_string occurs {count} times, at lines {lines}: give more text around it, or set replace_all"
            )
        at = data.index(old)
        changed = data.replace(old, new)
        replace_file(root, steps, changed, known=known)
    except UnicodeEncodeError:
        return failure(Refused("old_string or new_string holds half a surrogate pair, which is no text"), name)
    except (Refused, OSError) as fault:
        return failure(fault, name)
    return {"success": True, "file_path": "/".join(steps), "replacements": count, **excerpt(changed, at, len(new))}


def fit_line_ends(data: bytes, old: bytes, new: bytes) -> Tuple[bytes, bytes]:
    """In a file whose lines end in CRLF, a text given with LF means CRLF."""
    if old in data or b"\r\n" not in data or b"\r" in old:
        return old, new
    return old.replace(b"\n", b"\r\n"), new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def lines_of(data: bytes, wanted: bytes, most: int = 10) -> List[int]:
    """Numbers of the lines where the first occurrences begin."""
    found: List[int] = []
    at = data.find(wanted)
    while at != -1 and len(found) < most:
        found.append(data.count(b"\n", 0, at) + 1)
        at = data.find(wanted, at + len(wanted))
    return found


def explain_absence(data: bytes, old: bytes) -> str:
    """Says where the text nearly is: with other blanks, or a line much like its first."""
    wanted = [line.split() for line in old.splitlines() if line.strip()]
    lines = data.splitlines()
    present = [(number, line.split()) for number, line in enumerate(lines, 1) if line.strip()]
    for start in range(len(present) - len(wanted) + 1 if wanted else 0):
        if all(present[start + index][1] == words for index, words in enumerate(wanted)):
            return f"old_string is not in the file; with other blanks or line ends it is at line {present[start][0]}"
    if wanted:
        first = b" ".join(wanted[0]).decode("utf-8", "replace")[:200]
        texts = {b" ".join(words).decode("utf-8", "replace")[:200]: number for number, words in present[:5000]}
        near = difflib.get_close_matches(first, texts, 1, 0.7)
        if near:
            return f"old_string is not in the file; line {texts[near[0]]} is much like its first line: `{near[0]}`"
    return "old_string is not in the file: read the file again and copy the text exactly"


def excerpt(data: bytes, at: int, length: int) -> Dict[str, Any]:
    """The changed lines with two lines around them."""
    first = data.count(b"\n", 0, at)
    last = first + min(data.count(b"\n", at, at + length), 20)
    start = max(0, first - 2)
    shown = data.splitlines(True)[start : last + 3]
    return {"first_line": start + 1, "excerpt": b"".join(shown).decode("utf-8", "replace")[:4000]}


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
