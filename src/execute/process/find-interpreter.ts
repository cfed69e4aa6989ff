// Finds the interpreters that plans request; those of the machine are looked for once. A version manager's
// shim costs 0.1 to 0.4 s at every start, so an interpreter found by name is asked for the path of the real
// program. A program that is asked runs without a sandbox.
import { basename, delimiter, dirname, isAbsolute } from 'node:path'
import { absoluteFolders } from '../../base/index.ts'
import type { InterpreterRequest, PlanContext } from '../../plan/index.ts'
import { captureProcess } from './capture-process.ts'
import { findOnPath, isExecutable } from './find-program.ts'
import { searchPath } from './search-path.ts'
import type { ProcessTable } from './spawn.ts'

type Variables = Readonly<Record<string, string | undefined>>

const ANSWER_MS = 5_000

/** How programs of these names are asked for their real path. */
const QUESTIONS: readonly { readonly name: RegExp; readonly args: readonly string[] }[] = [
  { name: /^python[\d.]*$/, args: ['-I', '-S', '-c', 'import sys; print(sys.executable)'] },
  { name: /^node$/, args: ['-p', 'process.execPath'] },
]

/** The variables by which version managers choose a program. */
const PASSED = [
  ...['PATH', 'HOME', 'LANG', 'PYENV_ROOT', 'PYENV_VERSION', 'NVM_DIR', 'ASDF_DIR', 'ASDF_DATA_DIR'],
  'RBENV_ROOT',
]

/** `isInProject` says whether tools may have written a path. */
export function createInterpreterFinder(
  table: ProcessTable,
  env: Variables,
  isInProject: (path: string) => boolean,
): PlanContext['findInterpreter'] {
  const known = new Map<string, Promise<string | undefined>>()
  return async request => {
    // A project's own files may have been made since the last request.
    const file = request.files.find(isExecutable)
    if (file !== undefined) return file
    const { names, command, outside } = request
    const key = JSON.stringify([names, command, outside])
    const search = () => find({ table, env, isInProject, path: searchPath(env, outside) }, request)
    const found = known.get(key) ?? search()
    known.set(key, found)
    const path = await found
    if (path !== undefined && isExecutable(path)) return path
    known.delete(key)
    return undefined
  }
}

interface Search {
  readonly table: ProcessTable
  readonly env: Variables
  readonly isInProject: (path: string) => boolean
  readonly path: string
}

async function find(
  search: Search,
  request: Pick<InterpreterRequest, 'names' | 'command'>,
): Promise<string | undefined> {
  for (const name of request.names) {
    const path = findOnPath(name, search.path)
    if (path !== undefined) return (await askForRealPath(search, path)) ?? path
  }
  if (request.command === null) return undefined
  const [command, ...args] = request.command
  const path =
    command !== undefined && (isAbsolute(command) ? command : findOnPath(command, untouched(search)))
  return path ? readPrintedPath(search, [path, ...args]) : undefined
}

async function askForRealPath(search: Search, path: string): Promise<string | undefined> {
  const question = QUESTIONS.find(entry => entry.name.test(basename(path)))
  // The folder is checked, too: a Python environment has a link to a program, with a file beside it that says
  // where its modules are.
  if (question === undefined || [dirname(path), path].some(search.isInProject)) return undefined
  return readPrintedPath(search, [path, ...question.args])
}

/**
 * The `PATH` without folders that tools may have written: a program that is asked looks up others by name,
 * too.
 */
function untouched({ path, isInProject }: Search): string {
  return absoluteFolders(path)
    .filter(folder => !isInProject(folder))
    .join(delimiter)
}

/** The first line that the command prints, if it is the path of a program. */
async function readPrintedPath(
  search: Search,
  [command, ...args]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const { table } = search
  const env: Variables = { ...search.env, PATH: untouched(search) }
  const passed = PASSED.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  try {
    const output = await captureProcess(
      table,
      { command, args, cwd: '/', env: Object.fromEntries(passed) },
      { stdin: '', timeoutMs: ANSWER_MS, outputBytes: 65_536 },
    )
    const line = output.stdout.text.split('\n', 1)[0]!.trim()
    return output.exitCode === 0 && isAbsolute(line) && isExecutable(line) ? line : undefined
  } catch {
    // A program that cannot be started tells us nothing.
    return undefined
  }
}
