// A project and a user space with a signing key, and the built server over both, for tests that call the
// server and also run commands.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

export type Json = Readonly<Record<string, unknown>>

export interface ServedLibrary {
  readonly place: Place
  readonly client: Client
  /** Calls a tool on the project, and repeats the call while the index is being built. */
  call(name: string, given: Json): Promise<Json>
  /** Writes a file below `.ai` of a space. */
  write(path: string, text: string, space?: 'project' | 'user'): void
  signTool(id: string): Promise<Json>
  runTool(id: string, parameters?: Json): Promise<Json>
  close(): Promise<void>
}

export async function openServedLibrary(): Promise<ServedLibrary> {
  const place = makePlace()
  const { status, stderr } = await place.rye(['keys', 'generate'])
  if (status !== 0) throw new Error(stderr)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--profile', 'all'],
      cwd: place.project,
      env: place.environment,
      stderr: 'ignore',
    }),
  )
  const library: ServedLibrary = {
    place,
    client,
    call: async (name, given) => {
      for (;;) {
        const result = await client.callTool({ name, arguments: { ...given, project_path: place.project } })
        const answer = result.structuredContent as Json
        if (!String(answer.warning).includes('still being built')) return answer
      }
    },
    write: (path, text, space = 'project') => {
      const file = join(place[space], '.ai', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    signTool: item_id => library.call('sign', { item_type: 'tool', item_id, location: 'project' }),
    runTool: (item_id, parameters = {}) =>
      library.call('execute', { item_type: 'tool', item_id, parameters }),
    close: async () => {
      await client.close()
      place.remove()
    },
  }
  return library
}

/** The ids of the chain that a run would use. */
export async function chainOf(library: ServedLibrary, item_id: string, parameters: Json): Promise<string[]> {
  const { chain } = await library.call('execute', { item_id, parameters, dry_run: true, trace: true })
  return (chain as { item_id: string }[]).map(element => element.item_id)
}

/** The five constants that every Python tool starts with. */
export function pythonHead(category: string, description: string, executor: string): string {
  const values = {
    version: '1.0.0',
    tool_type: 'python',
    executor_id: executor,
    category,
    tool_description: description,
  }
  return Object.entries(values)
    .map(([name, value]) => `__${name}__ = "${value}"\n`)
    .join('')
}
