"""Run a shell command in the project.

A process of its own, not a warm function: whatever the command leaves running ends with it.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from typing import Any, BinaryIO, Dict, List, Optional

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/script"
__category__ = "rye"
__tool_description__ = "Run a shell command (bash) in the project and answer with its output and exit status"

tags = ["shell", "command", "bash", "terminal", "run", "process", "script", "cli", "git", "test", "build"]

# Beyond the longest timeout that a caller can ask for, so that the answer still says what was printed.
CONFIG = {"timeout": 3630, "permissions": {"network": ["*"]}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "command": {
            "type": "string",
            "minLength": 1,
            "maxLength": 100000,
            "description": "Shell text, as for `bash -c`",
        },
        "timeout": {
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 3600,
            "default": 120,
            "description": "Seconds until the command is ended",
        },
        "working_dir": {
            "type": "string",
            "default": ".",
            "description": "Folder to run in, relative to the project or absolute inside it",
        },
    },
    "required": ["command"],
    "additionalProperties": False,
}

# Of each stream the first and the last part are kept, less of them where the answer would be too long; a command that writes
# without end is ended.
KEPT_BYTES = 200_000
FEWER_BYTES = 30_000
ANSWER_BYTES = 900_000
FLOOD_BYTES = 200_000_000


def execute(params: Dict[str, Any], project_path: str) -> Dict[str, Any]:
    """Answers with `stdout`, `stderr` and `exit_code`; a status other than 0 is a failure with the same evidence."""
    folder = inside(project_path, params.get("working_dir", "."))
    if folder is None:
        return {"success": False, "error": f"`{params['working_dir']}` is not a folder inside the project"}
    shell = shutil.which("bash") or shutil.which("sh")
    if shell is None:
        return {"success": False, "error": "neither bash nor sh is on the PATH"}
    timeout = params.get("timeout", 120)
    try:
        child = subprocess.Popen(
            [shell, "-c", params["command"]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as fault:
        return {"success": False, "error": f"the command could not be started: {fault}"}
    streams = [Stream(child.stdout, child), Stream(child.stderr, child)]
    timed_out = False
    try:
        child.wait(timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
    end_group(child)
    for stream in streams:
        stream.thread.join(1)
    stdout, stderr = streams
    # Escapes make JSON up to six times as long as the output.
    if sum(len(json.dumps(stream.text())) for stream in streams) > ANSWER_BYTES:
        for stream in streams:
            stream.shorten(FEWER_BYTES)
    answer: Dict[str, Any] = {
        "stdout": stdout.text(),
        "stderr": stderr.text(),
        "exit_code": None if timed_out else child.returncode,
    }
    if stdout.left_out or stderr.left_out:
        answer["truncated"] = True
    problem = describe_problem(child, streams, timeout if timed_out else None)
    return {"success": problem is None, **answer, **({} if problem is None else {"error": problem})}


def describe_problem(
    child: "subprocess.Popen[bytes]", streams: "List[Stream]", timeout: Optional[float]
) -> Optional[str]:
    """What went wrong, in one line, or None."""
    if any(stream.is_flood for stream in streams):
        return f"the command wrote more than {FLOOD_BYTES} bytes and was ended"
    if timeout is not None:
        return f"the command took longer than {timeout:g} s and was ended"
    if child.returncode == 0:
        return None
    last = streams[1].text().rstrip().rpartition("\n")[2][:300]
    cause = f"exit status {child.returncode}" if child.returncode > 0 else f"signal {-child.returncode}"
    return f"the command ended with {cause}{': ' if last else ''}{last}"


def inside(project_path: str, name: str) -> Optional[str]:
    """The real path of a folder inside the project, or None."""
    root = os.path.realpath(project_path)
    try:
        real = os.path.realpath(os.path.join(root, name))
    except ValueError:
        return None
    is_inside = real == root or real.startswith(os.path.join(root, ""))
    return real if is_inside and os.path.isdir(real) else None


def end_group(child: "subprocess.Popen[bytes]") -> None:
    """Ends the command and everything that it started and left in its group."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    child.wait()


class Stream:
    """Reads one stream to its end, and keeps its first and its last part."""

    def __init__(self, source: BinaryIO, child: "subprocess.Popen[bytes]") -> None:
        self.source, self.child = source, child
        self.first, self.last = b"", b""
        self.total = 0
        self.is_flood = False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self) -> None:
        for chunk in iter(lambda: os.read(self.source.fileno(), 65536), b""):
            self.total += len(chunk)
            free = KEPT_BYTES - len(self.first)
            self.first += chunk[:free]
            self.last = (self.last + chunk[free:])[-KEPT_BYTES:]
            if self.total > FLOOD_BYTES and not self.is_flood:
                self.is_flood = True
                os.killpg(self.child.pid, signal.SIGKILL)

    def shorten(self, most: int) -> None:
        whole = self.first + self.last
        self.first, self.last = whole[:most], whole[most:][-most:]

    @property
    def left_out(self) -> int:
        return self.total - len(self.first) - len(self.last)

    def text(self) -> str:
        mark = f"\n[... {self.left_out} bytes left out ...]\n".encode() if self.left_out else b""
        return (self.first + mark + self.last).decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--params")
    parser.add_argument("--project-path", required=True)
    given = parser.parse_args()
    params = json.loads(given.params if given.params is not None else sys.stdin.read())
    print(json.dumps(execute(params, given.project_path)))


if __name__ == "__main__":
    main()
