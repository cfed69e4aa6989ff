// The library as a program uses it: its options, what it refuses, and what it never asks the process.
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CallOptions, type LibraryOptions, openLibrary } from '../../src/actions/open-library.ts'
import type { ActionName } from '../../src/actions/signatures.ts'
import { ACTIONS } from '../../src/actions/table.ts'
import { describeKey, printIdentity } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { knowledge, type Scratch, scratch, tool } from '../workspace/scratch.ts'

function open(made: Scratch, options: Partial<LibraryOptions> = {}) {
  const library = openLibrary({ caller: 'person', environment: made.environment, ...options })
  onTestFinished(() => library.close())
  return library
}

describe('a call', () => {
  it('answers as the command line would', async () => {
    const made = await scratch({ '.ai/knowledge/notes.md': knowledge('notes', { body: 'zebra' }) })
    const library = open(made)
    const signed = await library.call('sign', { item_id: 'notes', project_path: made.project })
    expect(signed.status).toBe('signed')
    const found = await library.call('search', { query: 'zebra', project_path: made.project })
    if (found.status === 'error') throw new Error(found.error)
    expect(found).toMatchObject({ query: 'zebra', limit: 10, search_type: 'keyword' })
    expect(found.results[0]).toMatchObject({ id: 'notes', trust: { status: 'verified' } })
    expect(found).toEqual(await made.run('search', { query: 'zebra' }))
  })

  it('gives a failure as an answer, with a code', async () => {
    const made = await scratch()
    const answer = await open(made).call('load', { item_id: 'no/such', project_path: made.project })
    if (answer.status !== 'error') throw new Error('expected a failure')
    expect(answer.code).toBe('ITEM_NOT_FOUND')
    expect(answer).toMatchObject({ item_id: 'no/such', searched: 'project, user, system' })
  })

  it('says that unsigned items are accepted', async () => {
    const made = await scratch({}, { environment: { RYE_DEV_MODE: '1' } })
    const library = open(made)
    const input = { query: 'x', project_path: made.project }
    expect((await library.call('search', input)).dev_mode).toBe(true)
    expect((await library.call('search', { ...input, limit: 0 })).dev_mode).toBe(true)
  })

  it('takes the input as it was when it was called', async () => {
    const made = await scratch()
    const input = { query: 'first', project_path: made.project }
    const answer = open(made).call('search', input)
    input.query = 'second'
    expect(await answer).toMatchObject({ query: 'first' })
  })

  it('tells how far it has come', async () => {
    const files = Array.from({ length: 5 }, (_, n) => [`.ai/tools/t${n}.py`, tool(`t${n}`)] as const)
    const made = await scratch(Object.fromEntries(files))
    const seen: number[] = []
    const onProgress: CallOptions['onProgress'] = ({ done }) => seen.push(done)
    await open(made).call('sign', { item_id: '*', project_path: made.project }, { onProgress })
    expect(seen).toEqual([0, 1, 2, 3, 4])
  })
})

describe('a caller', () => {
  it('that is an agent is refused what people decide', async () => {
    const made = await scratch({}, { key: false })
    const library = open(made, { caller: 'agent' })
    const refused: string[] = []
    for (const { name, load } of ACTIONS) {
      if (!(await load()).forPeople) continue
      // Refused for any input, before anything is read or written.
      expect(await library.call(name as ActionName, {} as never)).toMatchObject({
        status: 'error',
        code: 'POLICY_DENIED',
        hint: `a person can run: rye ${name}`,
      })
      refused.push(name)
    }
    expect(refused).toEqual([
      'merge',
      'init',
      ...['edit', 'mv', 'rm', 'add', 'install', 'outdated', 'update', 'remove', 'review'],
      'registry unpublish',
      ...['keys generate', 'keys show', 'keys list', 'keys trust', 'keys offer', 'keys export'],
      ...[
        'keys rotate',
        'keys revoke',
        'keys remove',
        'mcp grant',
        'mcp grants',
        'mcp revoke',
        'skills remove',
        ...['catalogue sync', 'catalogue search', 'catalogue status'],
      ],
    ])
    expect(existsSync(made.path('user:.ai'))).toBe(false)
    expect(existsSync(made.path('.ai'))).toBe(false)
  })

  it('that is a person decides', async () => {
    const made = await scratch({}, { key: false })
    const library = open(made)
    const own = await library.call('keys generate', {})
    if (own.status === 'error') throw new Error(own.error)
    const listed = await library.call('keys list', {})
    expect(listed).toMatchObject({ keys: [{ fingerprint: own.fingerprint, own: true }], faults: [] })
  })

  it('that is an agent signs nothing where the user denies it, not even what it creates', async () => {
    const made = await scratch()
    made.write('user:.ai/config/rye.toml', '[mcp]\nsign = "deny"\n')
    const library = open(made, { caller: 'agent' })
    const created = await library.call('new', {
      item_type: 'tool',
      item_id: 'ops/greet',
      project_path: made.project,
    })
    expect(created).toMatchObject({ status: 'created', signed: false })
    const signed = await library.call('sign', { item_id: 'ops/greet', project_path: made.project })
    expect(signed).toMatchObject({ status: 'error', code: 'POLICY_DENIED' })
    const person = await open(made).call('sign', { item_id: 'ops/greet', project_path: made.project })
    expect(person.status).toBe('signed')
  })
})

describe('the program that clients start', () => {
  it.each([
    [
      { command: 'node', args: ['/opt/rye.cjs'] },
      { command: 'node', args: ['/opt/rye.cjs', 'mcp'] },
    ],
    [
      undefined,
      {
        command: '/bin/sh',
        args: ['-c', 'cd / && exec npx -y ryekit@0 -C "$OLDPWD" "$@"', 'rye', 'mcp'],
      },
    ],
  ])('is %j', async (program, expected) => {
    const made = await scratch()
    const library = open(made, program && { program })
    const answer = await library.call('init', { client: 'claude', project_path: made.project })
    expect(answer.status).toBe('initialised')
    expect(JSON.parse(made.read('.mcp.json'))).toEqual({ mcpServers: { rye: expected } })
  })
})

describe('a relative path', () => {
  /** Leads to the file from the current directory of this process, which nobody named. */
  const here = (path: string) => relative(process.cwd(), path)

  it('begins at the directory that the library was told', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const library = open(made, { directory: made.project })
    const parsed = await library.call('parse', { paths: ['.ai/tools/a.py'], project_path: made.project })
    expect(parsed).toMatchObject({ items: [{ path: made.path('.ai/tools/a.py'), item_type: 'tool' }] })
    const verified = await library.call('verify', { targets: ['.ai'], project_path: made.project })
    expect(verified).toMatchObject({ items: [{ item_id: 'a', status: 'unsigned' }] })
  })

  it('is refused where nothing says where it begins', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a'), 'skills/a/SKILL.md': 'x' })
    const key = made.write('key.toml', printIdentity(describeKey(generateKey().publicPem, 'ann')))
    const library = open(made)
    const project_path = made.project
    const directory = here(made.path('skills'))
    const answers = [
      await library.call('parse', { paths: [here(made.path('.ai/tools/a.py'))], project_path }),
      await library.call('verify', { trust: [here(key)], project_path }),
      await library.call('verify', { targets: [here(made.path('.ai'))], project_path }),
      await library.call('keys trust', { file: here(key) }),
      await library.call('eval', { directory }),
      await library.call('skills scan', { directory }),
      await library.call('skills validate', { directory }),
      await library.call('skills index', { directory: made.path('skills'), out: here(key) }),
      await library.call('skills sync', { directory, lance: made.path('table') }),
      await library.call('skills sync', { directory: made.path('skills'), lance: here(made.path('table')) }),
      await library.call('skills search', { query: 'x', lance: here(made.path('table')) }),
      await library.call('knowledge scan', { directory }),
      await library.call('init', { project_path: here(made.path('new')) }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: 'INVALID_INPUT' })
      expect(answer.status === 'error' && answer.error).toMatch(/^expected an absolute path, got `/)
    }
    expect(existsSync(made.path('new'))).toBe(false)
    const project = await library.call('list', { project_path: here(made.project) })
    expect(project).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    // Anything that could be a reference is read as one.
    expect(await library.call('verify', { targets: ['test'], project_path })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it('among the options is refused in the same way', async () => {
    const made = await scratch()
    const environment = { ...made.environment, USER_SPACE: here(made.user) }
    const wrong = (options: Partial<LibraryOptions>) => () =>
      openLibrary({ caller: 'person', environment: made.environment, ...options })
    expect(wrong({ environment })).toThrow(/^expected an absolute path, got `/)
    expect(wrong({ directory: '.' })).toThrow('expected an absolute path, got `.`')
    const library = open(made, {
      environment: { ...made.environment, USER_SPACE: 'user' },
      directory: made.root,
    })
    expect(await library.call('keys show', {})).toMatchObject({
      path: join(made.user, '.ai/config/keys/signing/private_key.pem'),
    })
  })
})

describe('who watches', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('mine')
      },
    ],
    [
      'throws later',
      async () => {
        throw new Error('mine')
      },
    ],
  ])('and %s, ends nothing', async (_, onProgress) => {
    const rejected: unknown[] = []
    const listen = (reason: unknown) => rejected.push(reason)
    process.on('unhandledRejection', listen)
    onTestFinished(() => void process.off('unhandledRejection', listen))
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const input = { item_id: 'a', project_path: made.project }
    expect(await open(made).call('sign', input, { onProgress })).toMatchObject({ status: 'signed' })
    const verified = await open(made).call('verify', { project_path: made.project }, { onProgress })
    expect(verified).toHaveProperty('counts')
    await new Promise(resolve => setImmediate(resolve))
    expect(rejected).toEqual([])
  })
})

describe('cancelling', () => {
  const CANCELLED = { status: 'error', code: 'EXECUTION_CANCELLED', error: 'the call was cancelled' }

  it('before the call, or during it, answers so', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a'), '.ai/tools/b.py': tool('b') })
    const library = open(made)
    const input = { item_id: '*', project_path: made.project }
    expect(await library.call('sign', input, { signal: AbortSignal.abort() })).toEqual(CANCELLED)
    const abort = new AbortController()
    const options = { signal: abort.signal, onProgress: () => abort.abort() }
    expect(await library.call('sign', input, options)).toEqual({ ...CANCELLED, item_id: '*' })
    expect(await library.call('verify', { targets: ['tool:b'], project_path: made.project })).toMatchObject({
      items: [{ status: 'unsigned' }],
    })
  })

  it('by one signal ends many calls, of which it hears once', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const library = open(made)
    const abort = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = abort.signal
    abort.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners++
      addEventListener.apply(abort.signal, given)
    }
    abort.signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners--
      removeEventListener.apply(abort.signal, given)
    }
    const call = () => library.call('list', { project_path: made.project }, { signal: abort.signal })
    const all = Array.from({ length: 30 }, call)
    expect(listeners).toBe(1)
    for (const answer of await Promise.all(all)) expect(answer).toHaveProperty('items')
    expect(listeners).toBe(0)
    const cancelled = Array.from({ length: 30 }, call)
    abort.abort()
    for (const answer of await Promise.all(cancelled)) expect(answer).toEqual(CANCELLED)
    expect(listeners).toBe(0)
  })

  it('with the library ends calls under way, and refuses later ones', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const library = open(made)
    const watching = library.call('index', { watch: true, project_path: made.project })
    await library.call('search', { query: 'a', project_path: made.project })
    await library.close()
    // What it answers depends on whether it had begun to watch.
    const ended = await watching
    if ('error' in ended) expect(ended.code).toBe('EXECUTION_CANCELLED')
    else expect(ended.items).toBeGreaterThan(0)
    const late = await library.call('search', { query: 'a', project_path: made.project })
    expect(late).toMatchObject({ status: 'error', code: 'NOT_AVAILABLE', error: 'the library is closed' })
    await library.close()
  })
})

it('shows two methods, and nothing of what it holds', async () => {
  const made = await scratch()
  expect(Object.keys(open(made))).toEqual(['call', 'close'])
})
