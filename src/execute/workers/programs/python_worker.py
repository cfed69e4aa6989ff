"""The worker that calls Python functions.

It reads requests as JSON lines from descriptor 3 and writes answers to descriptor 4; the tool's standard streams are not
part of the protocol. It compiles the bytes it is sent (cached by digest), never a file. Each call gets a new module;
directory, environment, import path and imported siblings are restored afterwards. If something cannot be restored, this
is reported, and the worker is not used again.
"""

import _thread
import base64
import builtins
import json
import linecache
import math
import os
import runpy
import select
import signal
import sys
import threading
import time
import traceback
import types

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None

# It has had its effect. Processes that a tool starts must find their modules as usual.
if os.environ.get("PYTHONSAFEPATH") == "rye":
    del os.environ["PYTHONSAFEPATH"]

# Python before 3.11 ignores that variable. Tools must not import from the directory of this file there either.
OWN_DIRECTORY = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if entry != OWN_DIRECTORY]

PROCESSES = runpy.run_path(os.path.join(OWN_DIRECTORY, "python_processes.py"))
MAIN = PROCESSES["install"]()
MODULE_NAME = "rye_tool"
THREADS = []
SOURCES = {}
CODE = {}
LIBRARIES = tuple(
    os.path.realpath(prefix) + os.sep
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.__file__)}
    if prefix not in ("", "/")
)


class Refusal(Exception):
    """A fault of the call, or of what the tool exports; reported without a traceback."""


def main():
    # Children of a tool must not hold the protocol open.
    os.set_inheritable(3, False)
    os.set_inheritable(4, False)
    requests = os.fdopen(3, "rb")
    answers = os.fdopen(4, "wb")
    # Anyone who watches a run sees each line as it is printed.
    sys.stdout.reconfigure(line_buffering=True)
    track_threads()
    known = [(space, dict(space)) for space in (globals(), vars(builtins))]
    for line in requests:
        request = json.loads(line)
        end_with_server(True)
        answer = handle(request, known)
        end_with_server(False)
        answers.write(answer.encode("ascii") + b"\n")
        answers.flush()


def end_with_server(armed):
    """While a tool runs, lets the kernel kill it, and its group if that is ours, when the server's end of the requests
    is closed: a killed server ends nothing itself, and a tool may never return to the loop above."""
    if not hasattr(fcntl, "F_SETSIG"):
        return
    flags = fcntl.fcntl(3, fcntl.F_GETFL)
    if not armed:
        fcntl.fcntl(3, fcntl.F_SETFL, flags & ~os.O_ASYNC)
        return
    fcntl.fcntl(3, fcntl.F_SETOWN, -os.getpid() if os.getpgrp() == os.getpid() else os.getpid())
    fcntl.fcntl(3, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(3, fcntl.F_SETFL, flags | os.O_ASYNC)
    # Readable means that it was closed before it was armed: the server sends one call at a time, so there is nothing
    # else to read.
    if select.select([3], [], [], 0)[0]:
        os._exit(1)


def handle(request, known):
    state = remember()
    try:
        result = call(request)
        text = encode(result)
        if len(text) > request["limit"]:
            answer = {"kind": "too-large", "message": "the result has %d bytes, expected at most %d" % (len(text), request["limit"])}
        else:
            answer = None
    except Refusal as fault:
        answer = {"kind": "refused", "message": str(fault)}
    except SystemExit as fault:
        answer = {"kind": "exit", "message": "the tool called sys.exit(%r)" % (fault.code,), "traceback": trace()}
    except BaseException as fault:  # noqa: B902: whatever a tool raises must cost that call only
        answer = {"kind": "raised", "message": describe(fault), "traceback": trace()}
    flush()
    is_alive = restore(state)
    is_changed = any(before != space for space, before in known)
    dirty = "true" if is_alive or is_changed else "false"
    if answer is None:
        return '{"id":"%s","ok":true,"dirty":%s,"result":%s}' % (request["id"], dirty, text)
    return '{"id":"%s","ok":false,"dirty":%s,"error":%s}' % (request["id"], dirty, json.dumps(answer))


def call(request):
    filename, digest = request["filename"], request["digest"]
    if "source" in request:
        SOURCES[digest] = base64.b64decode(request["source"])
    MAIN.tool = (MODULE_NAME, filename, SOURCES[digest])
    code = compiled(digest, filename)
    module = types.ModuleType(MODULE_NAME)
    module.__file__ = filename
    sys.modules[MODULE_NAME] = module
    if request["siblings"]:
        sys.path.insert(0, os.path.dirname(filename))
    os.chdir(request["cwd"])
    exec(code, module.__dict__)
    function = getattr(module, request["function"], None)
    if not callable(function):
        raise Refusal("expected a function `%s`, found none" % request["function"])
    if request["call"] == "keywords":
        result = function(**request["params"])
    else:
        result = function(request["params"], request["project_path"])
    if hasattr(result, "__await__"):
        import asyncio  # 50 ms that most tools never need

        result = asyncio.run(finish(result))
    return result


async def finish(awaitable):
    return await awaitable


def compiled(digest, filename):
    key = (digest, filename)
    if key not in CODE:
        CODE[key] = PROCESSES["compiled"](SOURCES[digest], filename)
    code, lines = CODE[key]
    linecache.cache[filename] = lines
    return code


def remember():
    return os.getcwd(), dict(os.environ), list(sys.path), set(sys.modules), sys.stdout, sys.stderr, list(sys.argv)


def restore(state):
    """Restores the interpreter. Returns whether something of the tool is still alive."""
    cwd, environment, path, modules, stdout, stderr, argv = state
    sys.stdout, sys.stderr = stdout, stderr
    sys.path[:] = path
    sys.argv[:] = argv
    if dict(os.environ) != environment:
        os.environ.clear()
        os.environ.update(environment)
    for name in set(sys.modules) - modules:
        # A sibling of this tool must not be imported under the same name by the next tool.
        if name == MODULE_NAME or not from_library(sys.modules[name]):
            del sys.modules[name]
    sys.path_importer_cache.clear()
    try:
        os.chdir(cwd)
    except OSError:
        return True
    return has_threads() or has_timer() or has_children()


def from_library(module):
    try:
        filename = getattr(module, "__file__", None)
        return filename is None or os.path.realpath(filename).startswith(LIBRARIES)
    except Exception:
        return False


def track_threads():
    """Counts the threads of the module `_thread`, which are unknown to `threading`, from the moment they are asked for."""
    native = _thread.start_new_thread

    def start_new_thread(function, args, kwargs={}):
        def run():
            try:
                function(*args, **kwargs)
            finally:
                THREADS.pop()

        THREADS.append(function)
        try:
            return native(run, ())
        except BaseException:
            THREADS.pop()
            raise

    _thread.start_new_thread = _thread.start_new = start_new_thread
    if hasattr(threading, "_start_new_thread"):
        threading._start_new_thread = start_new_thread


def has_threads():
    """A thread that was joined is counted until it has really ended, a moment later."""
    for _ in range(20):
        if not THREADS and threading.active_count() == 1:
            return False
        time.sleep(0.001)
    return True


def has_timer():
    """Whether a signal would run a handler of the tool later."""
    return hasattr(signal, "getitimer") and any(
        signal.getitimer(timer)[0] > 0 for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
    )


def has_children():
    try:
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return True
    except (ChildProcessError, AttributeError):
        return False


def encode(value):
    try:
        return json.dumps(value, default=str, allow_nan=False)
    except RecursionError:
        raise
    except (TypeError, ValueError):
        return json.dumps(plain(value), default=str, allow_nan=False)


def plain(value, seen=()):
    """Keys that are not text become text, and infinite numbers null, so that any result is JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, (dict, list, tuple)):
        if id(value) in seen:
            raise Refusal("the result contains itself")
        seen = seen + (id(value),)
        if isinstance(value, dict):
            return {key if isinstance(key, str) else str(key): plain(entry, seen) for key, entry in value.items()}
        return [plain(entry, seen) for entry in value]
    return value


def describe(fault):
    text = str(fault)
    return "%s: %s" % (type(fault).__name__, text) if text else type(fault).__name__


def is_ours(frame):
    """Whether it is of this worker, of the launcher of a skill, or of the import by which that starts the tool."""
    name = frame.f_code.co_filename
    if name.startswith("<frozen importlib") or name == getattr(sys.modules.get("importlib"), "__file__", None):
        return True
    return os.path.abspath(name) == os.path.abspath(__file__) or "IMPORT_FIRST" in frame.f_globals


def trace():
    kind, fault, frames = sys.exc_info()
    while frames is not None and is_ours(frames.tb_frame):
        frames = frames.tb_next
    return "".join(traceback.format_exception(kind, fault, frames))[-20000:]


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


main()
