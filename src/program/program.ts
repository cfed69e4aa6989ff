// What the command runs: joins the surfaces, which do not know each other, and keeps its compiled code for the next start.
import { VERSION } from '../base/index.ts'
import { runCli } from '../surfaces/cli/index.ts'
import type { ChangeCheck } from '../workspace/index.ts'
import type { NewCode } from './code-cache.ts'

export interface Start {
  /** The file of the command, to start it again. */
  readonly command: string
  readonly directory: string
  /** Of a search: whether the files of the project have changed since they were indexed. */
  readonly changeCheck?: ChangeCheck | undefined
  /** Given when there was no usable code in the cache. */
  readonly code?: NewCode
}

/** A command that runs for longer has started by then, and V8 still has the code of its start. */
const STARTED_MS = 3000
const WRONG_CALL = 2

export async function run(words: readonly string[], start: Start): Promise<void> {
  const keep = createCodeWriter(start.code)
  const timer = setTimeout(keep, STARTED_MS).unref()
  const status = await runCli(words, {
    version: VERSION,
    environment: process.env,
    directory: start.directory,
    changeCheck: start.changeCheck,
    foreign: [
      {
        name: 'demo',
        summary: 'a guided tour in a temporary project',
        run: async () => {
          const { runTour } = await import('../surfaces/cli/tour/index.ts')
          return runTour({ environment: process.env, program: start.command })
        },
      },
      {
        name: 'mcp',
        summary: 'serve the library to an agent over MCP, on stdio or --http',
        fields: async () => (await import('../surfaces/mcp/index.ts')).MCP_FLAGS,
        run: async rest => (await import('../surfaces/mcp/index.ts')).runMcp(rest, VERSION, keep),
      },
    ],
  })
  process.exitCode = status
  clearTimeout(timer)
  if (status !== WRONG_CALL) await keep()
}

/** Writes new code once, however often it is called. */
function createCodeWriter(code: NewCode | undefined): () => Promise<void> {
  let written = code === undefined
  return async () => {
    if (written) return
    written = true
    // Made before the module that writes it is loaded: the next start does not need that one.
    const made = code!.make()
    const { writeCode } = await import('./write-code-cache.ts')
    writeCode(code!.cache, made)
  }
}
