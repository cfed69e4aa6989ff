"""Search the content of the project's files."""

import contextlib
import fnmatch
import os
import re
import stat
from typing import Any, BinaryIO, Callable, Dict, Iterator, List, Optional, Tuple

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "rye/file-system"
__tool_description__ = "Search for text in the project's files: words or regular expression, with lines around matches"

tags = ["search", "grep", "find", "text", "regex", "content", "occurrences", "code"]

CONFIG = {"timeout": 60, "permissions": {"network": False}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1000,
            "description": "Regular expression of Python, searched line by line",
        },
        "literal": {"type": "boolean", "default": False, "description": "Take the pattern as plain text"},
        "ignore_case": {"type": "boolean", "default": False, "description": "Upper and lower case are the same"},
        "path": {"type": "string", "default": ".", "description": "File or folder to search, relative to the project"},
        "glob": {
            "type": "string",
            "maxLength": 1000,
            "description": "Only files that fit, such as `*.py` or `src/**/*.ts`",
        },
        "context": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "default": 0,
            "description": "Lines to show around a match",
        },
        "files_only": {"type": "boolean", "default": False, "description": "Answer with the files alone"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 2000,
            "default": 200,
            "description": "Most matches, or files, to answer",
        },
    },
    "required": ["pattern"],
    "additionalProperties": False,
}

MOST_FILE_BYTES = 5_000_000
MOST_LINE = 1000
MOST_TEXT = 300_000


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with matches in order of files and lines. Binary files, files over 5 MB and links are passed over."""
    name, limit = params.get("path", "."), params.get("limit", 200)
    found = Findings(limit, params.get("context", 0), params.get("files_only", False))
    try:
        search = compile_pattern(params)
        test = compile_glob(with_folders(params.get("glob", "**")))
        root, start = find(project_path, name)
        for steps, read in each_file(root, start):
            if test(steps[len(start) :] or steps[-1:]):
                found.add("/".join(steps), read(), search)
            if found.is_full:
                break
    except (Refused, OSError) as fault:
        return failure(fault, name)
    return {"success": True, **found.answer()}


def compile_pattern(params: Dict[str, Any]) -> Callable[[str], Any]:
    """The search for one line."""
    pattern = re.escape(params["pattern"]) if params.get("literal", False) else params["pattern"]
    try:
        return re.compile(pattern, re.IGNORECASE if params.get("ignore_case", False) else 0).search
    except (re.error, RecursionError, OverflowError) as fault:
        raise Refused(f"`{pattern}` is no regular expression: {fault}; set literal to search for it as text") from None


def with_folders(pattern: str) -> str:
    """A pattern without `/` speaks of names in any folder."""
    return pattern if "/" in pattern else f"**/{pattern}"


def each_file(root: str, start: List[str]) -> Iterator[Tuple[List[str], Callable[[], bytes]]]:
    """Steps to each file, and a function that reads it: the start itself, or everything below it."""
    try:
        for steps, folder, names in walk(root, start):
            for entry in names:
                yield [*steps, entry], lambda entry=entry, folder=folder: read_beside(folder, entry)
    except NotADirectoryError:
        def read_start() -> bytes:
            with open_file(root, start) as stream:
                return stream.read(MOST_FILE_BYTES)
        yield start, read_start


def read_beside(folder: int, name: str) -> bytes:
    """The content of a regular file of bounded size, or nothing."""
    try:
        stream = open_entry(folder, name)
    except OSError:
        return b""
    if stream is None:
        return b""
    with stream:
        return stream.read() if os.fstat(stream.fileno()).st_size <= MOST_FILE_BYTES else b""


class Findings:
    """Matches so far, within the limits of an answer."""

    def __init__(self, limit: int, context: int, files_only: bool) -> None:
        self.limit, self.context, self.files_only = limit, context, files_only
        self.matches: List[Dict[str, Any]] = []
        self.files: List[str] = []
        self.searched = self.text = 0
        self.is_full = False

    def add(self, path: str, data: bytes, search: Callable[[str], Any]) -> None:
        if b"\0" in data[:8192]:
            return
        self.searched += 1
        lines = data.decode("utf-8", "replace").splitlines()
        shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for index, line in enumerate(lines):
            if not search(line[:MOST_LINE]):
                continue
            if len(self.files if self.files_only else self.matches) == self.limit or self.text > MOST_TEXT:
                self.is_full = True
                return
            if self.files_only:
                self.files.append(shown)
                return
            match: Dict[str, Any] = {"file": shown, "line": index + 1, "text": line[:MOST_LINE]}
            if self.context:
                match["before"] = [near[:MOST_LINE] for near in lines[max(0, index - self.context) : index]]
                match["after"] = [near[:MOST_LINE] for near in lines[index + 1 : index + 1 + self.context]]
            self.text += sum(len(near) for near in [match["text"], *match.get("before", []), *match.get("after", [])])
            self.matches.append(match)

    def answer(self) -> Dict[str, Any]:
        results = {"files": self.files} if self.files_only else {"matches": self.matches}
        count = len(self.files) if self.files_only else len(self.matches)
        return {**results, "count": count, "files_searched": self.searched, "truncated": self.is_full}


# --- walking: the same lines in `glob` and `grep` ---
PASSED_OVER = {".git", "node_modules", "__pycache__", ".venv"}
MOST_ENTRIES = 200_000
MOST_DEPTH = 64


def walk(root: str, steps: List[str]) -> Iterator[Tuple[List[str], int, List[str]]]:
    """Folders below a start in order: steps from the project, a descriptor, names of files. Links are not followed."""
    pending = [steps]
    seen = 0
    while pending and seen < MOST_ENTRIES:
        here = pending.pop()
        try:
            folder = open_folder(root, here)
        except OSError:
            if here == steps:
                raise
            continue
        try:
            with os.scandir(folder) as entries:
                real = [entry for entry in entries if not entry.is_symlink()]
                kinds = sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in real)
            seen += len(kinds)
            yield here, folder, [name for name, is_folder in kinds if not is_folder]
        finally:
            os.close(folder)
        inner = [[*here, name] for name, is_folder in kinds if is_folder and name not in PASSED_OVER]
        if len(here) - len(steps) < MOST_DEPTH:
            pending.extend(folder for folder in reversed(inner) if not holds_keys(folder))


def holds_keys(steps: List[str]) -> bool:
    """Whether a folder is the one of the signing keys."""
    return [step.casefold() for step in steps[-3:]] == [".ai", "config", "keys"]


def compile_glob(pattern: str) -> Callable[[List[str]], bool]:
    """A test for steps below the start: `*`, `?`, `[ab]` within a name, `**` for any folders, `{a,b}` for either."""
    choices = [choice.strip("/").split("/") for choice in expand_braces(pattern)]
    return lambda steps: any(fits(choice, steps) for choice in choices)


def expand_braces(pattern: str) -> List[str]:
    """Each pattern that `{a,b}` stands for, at most 64 of them."""
    found = [pattern]
    for _ in range(8):
        split = [choice.partition("{") for choice in found]
        if not any(brace and "}" in rest for _, brace, rest in split):
            return found
        opened: List[str] = []
        for before, brace, rest in split:
            inner, closed, after = rest.partition("}")
            if brace and closed:
                opened.extend(before + part + after for part in inner.split(","))
            else:
                opened.append(before + brace + rest)
        if len(opened) > 64:
            raise Refused(f"`{pattern}` stands for more than 64 patterns")
        found = opened
    raise Refused(f"`{pattern}` has more than 8 groups of braces")


def fits(pattern: List[str], steps: List[str]) -> bool:
    """Whether the names fit the pattern, name by name; each place in the pattern is reached once per name."""
    places = {0}
    for step in [*steps, None]:
        for place in sorted(places):
            while place < len(pattern) and pattern[place] == "**":
                place += 1
                places.add(place)
        if step is None:
            break
        places = {
            place if pattern[place] == "**" else place + 1
            for place in places
            if place < len(pattern) and (pattern[place] == "**" or fnmatch.fnmatchcase(step, pattern[place]))
        }
    return len(pattern) in places
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
