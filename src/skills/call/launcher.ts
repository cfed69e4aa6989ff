// Prints the Python source that calls one function of a skill. Everything that varies in it is data, printed
// as JSON, so no text of a skill becomes code here. Modules that it makes carry the launcher's own
// `__file__`, which tells a warm worker to drop them.
import type { DecoratorModules } from './decorator-modules.ts'

export interface LauncherParts {
  /** From the skill's folder: `scripts/git/commands.py`. */
  readonly script: string
  readonly functionName: string
  readonly files: readonly string[]
  readonly decoratorModules: DecoratorModules
  readonly positionalOnly: readonly string[]
  readonly rootParameters: readonly string[]
}

export function printLauncher(parts: LauncherParts): string {
  const settings = {
    module: moduleName(parts.script),
    function: parts.functionName,
    packages: barePackages(parts.files),
    stand_ins: parts.decoratorModules.names,
    stars: parts.decoratorModules.stars,
    positional: parts.positionalOnly,
    roots: parts.rootParameters,
  }
  // A JSON string is also a Python string literal: both write escapes the same way.
  return LAUNCHER.replace('"SETTINGS"', () =>
    JSON.stringify(JSON.stringify(settings)).replace(/[\u007f-\uffff]/g, escapeUnit),
  )
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** `scripts/git/commands.py` → `scripts.git.commands`; a package's `__init__.py` is the package. */
function moduleName(path: string): string {
  return path
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.')
}

/** Folders without an `__init__.py`, outermost first: relative imports need them to be packages. */
function barePackages(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    const segments = file.split('/').slice(0, -1)
    for (let length = 1; length <= segments.length; length++) folders.add(segments.slice(0, length).join('/'))
  }
  return [...folders].filter(folder => !files.includes(`${folder}/__init__.py`)).sort()
}

const LAUNCHER = `import contextlib
import importlib
import importlib.util
import json
import os
import pathlib
import sys
import types

# Processes that Python starts anew find the script only after what is done here.
IMPORT_FIRST = True
SETTINGS = json.loads("SETTINGS")
MISSING = {}
HERE = os.path.dirname(os.path.abspath(__file__))


def make_module(name, path):
    module = types.ModuleType(name)
    module.__file__ = __file__
    module.__path__ = path
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)
    return module


def harmless(*args, **kwargs):
    if len(args) == 1 and not kwargs and callable(args[0]):
        return args[0]
    return lambda function: function


def is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def stand_in(name):
    if is_installed(name):
        return
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        prefix = ".".join(parts[:length])
        if prefix not in sys.modules and not is_installed(prefix):
            make_module(prefix, [])
    module = importlib.import_module(name)
    module.skill_command = harmless
    module.skill_resource = harmless
    MISSING[name] = module


def lacking(error):
    if isinstance(error, ImportError):
        return [name for name in MISSING if name == error.name]
    if isinstance(error, AttributeError):
        return [name for name in MISSING if MISSING[name] is getattr(error, "obj", None)]
    if isinstance(error, UnboundLocalError):
        return []
    return [name for name in SETTINGS["stars"] if name in MISSING]


@contextlib.contextmanager
def naming_missing():
    try:
        yield
    except (NameError, ImportError, AttributeError) as error:
        names = lacking(error)
        if names:
            text = str(error) + " (these modules are not installed: " + ", ".join(names) + ")"
            with contextlib.suppress(Exception):
                error.args = (text,)
                error.msg = text
        raise


async def finish(result):
    with naming_missing():
        return await result


sys.path[:0] = [HERE, os.path.join(HERE, "scripts")]
for folder in SETTINGS["packages"]:
    make_module(folder.replace("/", "."), [os.path.join(HERE, *folder.split("/"))])
for name in SETTINGS["stand_ins"]:
    stand_in(name)

with naming_missing():
    function = getattr(importlib.import_module(SETTINGS["module"]), SETTINGS["function"])


def rye_call(**parameters):
    for name in SETTINGS["roots"]:
        parameters.setdefault(name, pathlib.Path(os.getcwd()))
    positional = []
    for name in SETTINGS["positional"]:
        if name not in parameters:
            break
        positional.append(parameters.pop(name))
    with naming_missing():
        result = function(*positional, **parameters)
    return finish(result) if MISSING and hasattr(result, "__await__") else result
`
