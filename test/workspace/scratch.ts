// A project and a user space for one test, in real folders, with items, a key, and the actions as a surface
// calls them.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readInput } from '../../src/actions/definition/read-input.ts'
import { runAction } from '../../src/actions/run-action.ts'
import { findAction } from '../../src/actions/table.ts'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey, type SigningKey } from '../../src/trust/key.ts'
import { openLibrary } from '../../src/workspace/library.ts'
import type { Library } from '../../src/workspace/types.ts'

/** Answers are JSON objects; tests look into them freely. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
export type Answer = Record<string, any>

export interface Scratch {
  readonly root: string
  readonly project: string
  readonly user: string
  readonly environment: Record<string, string>
  readonly library: Library
  /** Writes below the project, or below the user space when the path begins with `user:`. Returns the path. */
  write(path: string, text: string | Uint8Array): string
  read(path: string): string
  path(path: string): string
  /** Runs an action as a surface does; the project is filled in. */
  run(name: string, input?: object, caller?: 'agent' | 'person'): Promise<Answer>
  close(): Promise<void>
  /** Runs `sign`, and fails the test when that fails. */
  sign(item: string, input?: object): Promise<Answer>
}

export interface ScratchOptions {
  /** Lives longer than one test: the caller must call `close`. */
  readonly shared?: true
  /** Whether the user has a signing key; true without it. */
  readonly key?: boolean
  readonly environment?: Readonly<Record<string, string>>
  readonly now?: () => Date
}

/** Shared by all tests of a process, so that the index of the system's items is made once. */
const CACHE = mkdtempSync(join(realpathSync(tmpdir()), 'rye-cache-'))

export async function scratch(
  files: Readonly<Record<string, string>> = {},
  options: ScratchOptions = {},
): Promise<Scratch> {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-scratch-'))
  const [project, user] = [join(root, 'project'), join(root, 'user')]
  for (const folder of [project, user]) mkdirSync(folder)
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    USER_SPACE: user,
    XDG_CACHE_HOME: CACHE,
    ...options.environment,
  }
  const library = openLibrary({ environment, ...(options.now && { now: options.now }) })
  const made: Scratch = {
    root,
    project,
    user,
    environment,
    library,
    path: path => (path.startsWith('user:') ? join(user, path.slice(5)) : join(project, path)),
    write(path, text) {
      const full = made.path(path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
      return full
    },
    async close() {
      await library.close()
      rmSync(root, { recursive: true, force: true })
    },
    read: path => readFileSync(made.path(path), 'utf8'),
    run: (name, input = {}, caller = 'person') => runNamed(made, name, input, caller),
    async sign(item, input = {}) {
      const answer = await made.run('sign', { item_id: item, ...input })
      if (answer.status === 'error' || answer.failed?.length > 0) throw new Error(JSON.stringify(answer))
      return answer
    },
  }
  if (!options.shared) onTestFinished(made.close)
  for (const [path, text] of Object.entries(files)) made.write(path, text)
  if (options.key !== false) placeKey(made, TEST_KEY)
  return made
}

export const TEST_KEY = generateKey()

/** Makes a key as `rye keys generate` does, without waiting for the disk. */
export function placeKey(made: Scratch, key: SigningKey): void {
  const identity = describeKey(key.publicPem, 'local')
  made.write('user:.ai/config/keys/signing/private_key.pem', key.privatePem)
  chmodSync(made.path('user:.ai/config/keys/signing/private_key.pem'), 0o600)
  made.write(`user:.ai/config/keys/trusted/${identity.fingerprint}.toml`, printIdentity(identity))
}

async function runNamed(
  made: Scratch,
  name: string,
  input: object,
  caller: 'agent' | 'person',
): Promise<Answer> {
  const entry = findAction(name)
  if (!entry) throw new Error(`no action: ${name}`)
  const action = await entry.load()
  const filled = Object.hasOwn(action.fields, 'project_path')
    ? { project_path: made.project, ...input }
    : input
  const { answer } = await runAction({
    action,
    read: () => readInput(action.fields, filled, caller),
    context: {
      library: made.library,
      caller,
      directory: made.project,
      signal: new AbortController().signal,
      onProgress: () => {},
      onNote: () => {},
    },
  })
  return answer
}

export function tool(
  id: string,
  options: { description?: string; version?: string; body?: string } = {},
): string {
  const {
    description = `What ${id} does`,
    version = '1.0.0',
    body = 'return {"success": True, "params": params}',
  } = options
  return [
    `__version__ = ${JSON.stringify(version)}`,
    '__tool_type__ = "python"',
    '__executor_id__ = "rye/core/runtimes/python/function"',
    `__category__ = ${JSON.stringify(id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : '')}`,
    `__tool_description__ = ${JSON.stringify(description)}`,
    '',
    'def execute(params, project_path):',
    ...body.split('\n').map(line => `    ${line}`),
    '',
  ].join('\n')
}

export function knowledge(
  id: string,
  options: { title?: string; description?: string; body?: string; extra?: string } = {},
): string {
  const { title = id, description = `About ${id}`, body = 'Some text.', extra = '' } = options
  const slash = id.lastIndexOf('/')
  return [
    '```yaml',
    `name: ${id.slice(slash + 1)}`,
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description)}`,
    'entry_type: reference',
    `category: ${JSON.stringify(slash === -1 ? '' : id.slice(0, slash))}`,
    'version: "1.0.0"',
    ...(extra === '' ? [] : [extra]),
    '```',
    '',
    body,
    '',
  ].join('\n')
}

export function directive(
  id: string,
  options: { inputs?: string; body?: string; description?: string } = {},
): string {
  const { inputs = '', body = 'Do it.', description = `How to ${id}` } = options
  const slash = id.lastIndexOf('/')
  return [
    '# A directive',
    '',
    '```xml',
    `<directive name="${id.slice(slash + 1)}" version="1.0.0">`,
    '  <metadata>',
    `    <description>${description}</description>`,
    `    <category>${slash === -1 ? '' : id.slice(0, slash)}</category>`,
    '    <author>test</author>',
    '    <model tier="general" />',
    '    <limits turns="5" />',
    '    <permissions><execute><tool>*</tool></execute></permissions>',
    '  </metadata>',
    ...(inputs === '' ? [] : [`  <inputs>${inputs}</inputs>`]),
    '</directive>',
    '```',
    '',
    `<process><step name="one">${body}</step></process>`,
    '',
  ].join('\n')
}

export function skill(name: string, description = `Use it for ${name}`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo the work.\n`
}
