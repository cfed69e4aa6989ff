"""Supports the processes that `multiprocessing` starts anew (`spawn`, `forkserver`).

They import the module whose function they call. The tool's own module is in no file that they could find, so they are
sent its verified bytes. A fork server is asked for processes over a Unix socket, which a sandbox does not allow: there,
processes are started one by one instead, which a tool can only tell by the time that it takes.
"""

import linecache
import os
import sys
from importlib.machinery import ModuleSpec

FORK_SERVER = "multiprocessing.popen_forkserver"
BEGIN = "__import__('runpy').run_path(program)['begin'](*tool)"


class Provider:
    """A finder and loader of one module."""

    def __init__(self, name, fill, is_wanted=lambda: True):
        self.name, self.fill, self.is_wanted = name, fill, is_wanted

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self) if name == self.name and self.is_wanted() else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self.fill(module)


class Main(str):
    """The name of `__main__`. A new process is sent it before its work, in order to import it; unpickling this one makes
    the tool importable there."""

    def __reduce__(self):
        is_first = getattr(sys.modules.get(self.tool[0]), "IMPORT_FIRST", False)
        return eval, (BEGIN, {"program": os.path.abspath(__file__), "tool": (*self.tool, is_first)})


def install():
    """Returns the name that is sent to new processes. The caller sets its `tool` to what they can import: name, file
    and bytes."""
    replace_fork_server()
    name = Main("__main__")
    sys.modules["__main__"].__spec__ = ModuleSpec(name, None)
    return name


def begin(name, filename, data, is_first):
    """Runs in a new process. Returns a name for which `multiprocessing` does nothing further. A tool that makes other
    modules importable is imported before anything asks for them."""

    def fill(module):
        module.__file__ = filename
        code, linecache.cache[filename] = compiled(data, filename)
        exec(code, module.__dict__)

    install().tool = (name, filename, data)
    sys.meta_path.insert(0, Provider(name, fill))
    if is_first:
        __import__(name)
    return "__main__"


def compiled(data, filename):
    """The code, and what `linecache` needs so that tracebacks show the bytes that ran, not what is in the file now."""
    lines = data.decode("utf-8", "replace").splitlines(True)
    return compile(data, filename, "exec", dont_inherit=True), (len(data), None, lines, filename)


def replace_fork_server():
    sys.meta_path.insert(0, Provider(FORK_SERVER, fill_fork_server, lacks_sockets_of_files))


def lacks_sockets_of_files():
    import _socket

    try:
        _socket.socket(_socket.AF_UNIX).close()
    except PermissionError:
        return True
    return False


def fill_fork_server(module):
    from multiprocessing import popen_spawn_posix

    class Popen(popen_spawn_posix.Popen):
        method = "forkserver"

    module.Popen = Popen
