// Finds interpreters on disk, once each. A version manager's shim costs 0.1 to 0.4 s at every start, so an interpreter
// found by name is asked for the program that it really is.
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { InterpreterRequest, PlanContext } from '../../plan/index.ts'
import type { ProcessTable } from './spawn.ts'
import { captureProcess } from './subprocess.ts'

const ASK_MS = 5_000

const QUESTIONS: readonly { readonly name: RegExp; readonly args: readonly string[] }[] = [
  { name: /^python[\d.]*$/, args: ['-I', '-S', '-c', 'import sys; print(sys.executable)'] },
  { name: /^node$/, args: ['-p', 'process.execPath'] },
]

export function createInterpreterFinder(
  table: ProcessTable,
  env: Readonly<Record<string, string | undefined>>,
): PlanContext['findInterpreter'] {
  const known = new Map<string, Promise<string | undefined>>()
  return request => {
    const key = JSON.stringify([request.files, request.names, request.command])
    const found = known.get(key) ?? find(table, env, request)
    known.set(key, found)
    return found.then(path => {
      if (path !== undefined && isExecutable(path)) return path
      known.delete(key)
      return undefined
    })
  }
}

async function find(
  table: ProcessTable,
  env: Readonly<Record<string, string | undefined>>,
  request: InterpreterRequest,
): Promise<string | undefined> {
  const file = request.files.find(isExecutable)
  if (file !== undefined) return file
  for (const name of request.names) {
    const path = findOnPath(name, env.PATH ?? '')
    if (path !== undefined) return (await askForItself(table, env, path)) ?? path
  }
  if (request.command === null) return undefined
  const [command, ...args] = request.command
  const path = command !== undefined && (isAbsolute(command) ? command : findOnPath(command, env.PATH ?? ''))
  return path ? firstPathPrinted(table, env, path, args) : undefined
}

/** The first executable regular file of that name; relative entries of `PATH` are passed over. */
export function findOnPath(name: string, path: string): string | undefined {
  if (name === '' || name.includes('/') || name.includes('\0')) return undefined
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, name] : [name]
  for (const directory of path.split(delimiter)) {
    if (!isAbsolute(directory)) continue
    const found = names.map(entry => join(directory, entry)).find(isExecutable)
    if (found !== undefined) return found
  }
  return undefined
}

/** A sandbox reports a missing program as its own failure, so it is looked for here. */
export function requireCommand(command: string, env: Readonly<Record<string, string>>): string {
  const found = isAbsolute(command) ? command : findOnPath(command, env.PATH ?? '')
  if (found !== undefined && isExecutable(found)) return found
  const place = isAbsolute(command) ? 'is not an executable file' : "was not found on the tool's PATH"
  throw new AppError('INTERPRETER_MISSING', `\`${command}\` ${place}`, {
    hint: 'install it, or name another interpreter in the runtime’s env_config',
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function askForItself(
  table: ProcessTable,
  env: Readonly<Record<string, string | undefined>>,
  path: string,
): Promise<string | undefined> {
  const question = QUESTIONS.find(entry => entry.name.test(basename(path)))
  return question && firstPathPrinted(table, env, path, question.args)
}

async function firstPathPrinted(
  table: ProcessTable,
  env: Readonly<Record<string, string | undefined>>,
  command: string,
  args: readonly string[],
): Promise<string | undefined> {
  const shown = [
    'PATH',
    'HOME',
    'LANG',
    'PYENV_ROOT',
    'PYENV_VERSION',
    'NVM_DIR',
    'ASDF_DIR',
    'ASDF_DATA_DIR',
    'RBENV_ROOT',
  ]
  const given = shown.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  try {
    const output = await captureProcess(
      table,
      { command, args, cwd: '/', env: Object.fromEntries(given) },
      { stdin: '', timeoutMs: ASK_MS, outputBytes: 65_536 },
    )
    const line = output.stdout.text.split('\n', 1)[0]!.trim()
    return output.exitCode === 0 && isAbsolute(line) && isExecutable(line) ? line : undefined
  } catch {
    // What cannot be started is not an interpreter; the next candidate is asked.
    return undefined
  }
}
