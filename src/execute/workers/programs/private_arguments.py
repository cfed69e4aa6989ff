"""Runs a Python program with more arguments, read from descriptor 3: lists of processes do not show them.

The program must not notice: it is `__main__`, its folder is on the import path, and tracebacks begin with it.
"""

import os
import runpy
import sys


def main():
    with os.fdopen(3, "rb") as source:
        given = source.read().decode("utf-8", "surrogateescape").split("\0")[:-1]
    program = sys.argv[1]
    sys.argv[:] = [*sys.argv[1:], *given]
    # Processes that the program starts must find their modules as usual.
    if os.environ.get("PYTHONSAFEPATH") == "rye":
        del os.environ["PYTHONSAFEPATH"]
    root = os.environ.pop("RYE_MODULE_ROOT", "")
    own = os.path.dirname(os.path.abspath(__file__))
    runpy.run_path(os.path.join(own, "python_processes.py"))["replace_fork_server"]()
    others = [entry for entry in sys.path if entry != own]
    # Last, so that nothing in it hides a module of Python or an installed package.
    last = [root] if root else []
    sys.path[:] = [os.path.dirname(os.path.realpath(program)), *others, *last]
    sys.excepthook = report
    module = type(sys)("__main__")
    module.__file__ = program
    module.__builtins__ = __builtins__
    sys.modules["__main__"] = module
    with open(program, "rb") as source:
        text = source.read()
    exec(compile(text, program, "exec", dont_inherit=True), module.__dict__)


def report(kind, fault, trace):
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    sys.__excepthook__(kind, fault.with_traceback(trace), trace)


main()
