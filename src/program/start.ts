// Starts the program from the compiled code that an earlier start kept, if there is any. Here and in `lance-process.ts` is all
// that a command which answers and ends reads of its process or changes in it.
import { commandWords, type Host } from '../surfaces/cli/index.ts'
import type { NewCode } from './code-cache.ts'
import { codeName } from './code-name.ts'
import { leaveLance, prepareLance } from './lance-process.ts'
import { loadProgram } from './load-program.ts'

const HOST: Host = {
  // Made when they are read: the object for standard input takes milliseconds.
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

export async function start(typed: readonly string[], command: string): Promise<void> {
  const words = commandWords(typed)
  const directory = currentDirectory()
  if (directory === undefined) {
    reportMissingDirectory(words)
    return
  }
  const compiled: NewCode[] = []
  const program = loadProgram(import.meta.dirname, { name: codeName(words), compiled })
  // What is for LanceDB alone is no part of what tools are given.
  const environment = { ...process.env }
  prepareLance()
  process.exitCode = await program.run(words, {
    command,
    directory,
    environment,
    host: HOST,
    compiled: () => compiled,
  })
  leaveLance()
}

function currentDirectory(): string | undefined {
  try {
    return process.cwd()
  } catch {
    // It was removed. Nothing works without it, not even Node's own `path`.
    return undefined
  }
}

function reportMissingDirectory(words: readonly string[]): void {
  const error = 'the current directory is gone'
  const hint = 'go to a directory that exists'
  if (words.includes('--json'))
    process.stdout.write(
      `${JSON.stringify({ status: 'error', error, code: 'PROJECT_NOT_FOUND', hint }, null, 2)}\n`,
    )
  else process.stderr.write(`error: ${error}\nhint: ${hint}\n`)
  process.exitCode = 1
}
