// Starts the program from the compiled code that an earlier start kept, if there is any. For a command that
// answers and ends, everything that is read from the process or changed in it is here and in
// `lance-process.ts`.
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ErrorCode, quoteShellWord, quoteText, VERSION } from '../base/index.ts'
import { commandWords, type Host } from '../surfaces/cli/index.ts'
import type { NewCode } from './code-cache.ts'
import { codeName } from './code-name.ts'
import { leaveLance, prepareLance } from './lance-process.ts'
import { DamagedProgram, loadProgram } from './load-program.ts'
import type { Start } from './program.ts'

const HOST: Host = {
  // Getters, because making the object for standard input takes milliseconds.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  canAsk: () => [0, 2].every(process.getBuiltinModule('node:tty').isatty),
  exit: status => process.exit(status),
}

const VERSIONS = new Set(['--version', '-v', '-V', 'version'])

export async function start(typed: readonly string[], command: string): Promise<void> {
  const isElsewhere = typed[0] === '-C'
  const elsewhere = isElsewhere ? typed[1] : undefined
  const words = commandWords(isElsewhere ? typed.slice(2) : typed)
  const refused = isElsewhere ? goTo(elsewhere) : undefined
  if (refused) {
    report(words, refused)
    return
  }
  // Answered without loading the program.
  if (words.length === 1 && VERSIONS.has(words[0]!)) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  const directory = currentDirectory()
  if (directory === undefined) {
    report(words, {
      error: 'the current directory is gone',
      code: 'PROJECT_NOT_FOUND',
      hint: 'go to a directory that exists',
    })
    return
  }
  try {
    await runProgram(words, { command, directory, elsewhere })
  } catch (thrown) {
    if (!(thrown instanceof DamagedProgram)) {
      // A bug of ours. Node itself would first print the line of the script, which is as long as a chunk.
      process.stderr.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`)
      process.exit(1)
    }
    const { message: error, path } = thrown
    report(words, { error, code: 'FILE_UNREADABLE', hint: `install it again: ${installCommand(path)}` })
  }
}

async function runProgram(
  words: readonly string[],
  started: Pick<Start, 'command' | 'directory' | 'elsewhere'>,
): Promise<void> {
  const compiled: NewCode[] = []
  const program = loadProgram(import.meta.dirname, { name: codeName(words), compiled })
  // A copy, so that tools are not given the variables that are for LanceDB alone.
  const environment = { ...process.env }
  prepareLance()
  process.exitCode = await program.run(words, {
    ...started,
    environment,
    host: HOST,
    compiled: () => compiled,
  })
  leaveLance()
}

/** `-C DIR`: behaves as if started there. Returns why it cannot. */
function goTo(directory: string | undefined): Failure | undefined {
  const hint = 'name a directory that exists: rye -C DIR COMMAND'
  if (!directory) return { error: 'expected a directory after `-C`', code: 'INVALID_INPUT', hint }
  try {
    process.chdir(directory)
    return undefined
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    return { error: `cannot go to ${quoteText(directory)}: ${code}`, code: 'INVALID_INPUT', hint }
  }
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // The directory was removed. Nothing works without it, not even Node's own `path`.
    return undefined
  }
}

/** npm does not repair a package that is already installed in a project, so it is removed first. */
function installCommand(file: string): string {
  const folder = dirname(dirname(file))
  const [modules, holder] = [dirname(folder), dirname(dirname(folder))]
  if (basename(modules) !== 'node_modules' || !existsSync(join(holder, 'package.json')))
    return 'npm install --global ryekit'
  return `rm -r ${quoteShellWord(folder)} && npm install --prefix ${quoteShellWord(holder)}`
}

interface Failure {
  readonly error: string
  readonly code: ErrorCode
  readonly hint: string
}

/** Reports what keeps the program from starting; once it runs, it reports failures itself. */
function report(words: readonly string[], { error, code, hint }: Failure): void {
  if (words.includes('--json'))
    process.stdout.write(`${JSON.stringify({ status: 'error', error, code, hint }, null, 2)}\n`)
  else process.stderr.write(`error: ${error}\nhint: ${hint}\n`)
  process.exitCode = code === 'INVALID_INPUT' ? 2 : 1
}
