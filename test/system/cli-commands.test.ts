// Every command as a person types it: exit statuses, what goes to which stream, and what a mistyped call gets.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

let place: Place
beforeAll(async () => {
  place = makePlace()
  expect((await place.rye(['init', '--json'])).status).toBe(0)
})
afterAll(() => place.remove())

function write(path: string, text: string): void {
  mkdirSync(join(place.project, path, '..'), { recursive: true })
  writeFileSync(join(place.project, path), text)
}

describe('with --json', () => {
  it.each([
    [['search', 'greet'], 0, 'results'],
    [['load', 'hello/greet'], 0, 'content'],
    [['fetch', 'hello/greet'], 0, 'content'],
    [['fetch', '--query', 'greet', '--scope', 'tool'], 0, 'results'],
    [['execute', 'tool:hello/greet', '--param', 'who=Ada'], 0, 'data'],
    [['execute', 'directive:hello/first_steps', '--params', '{"goal": "x"}'], 0, 'your_directions'],
    [['execute', 'knowledge:hello/notes'], 0, 'content'],
    [['sign', 'tool:hello/greet'], 0, 'signature'],
    [['sign', 'hello/*'], 0, 'signed'],
    [['verify', '.'], 0, 'counts'],
    [['list'], 0, 'items'],
    [['show', 'hello/greet'], 0, 'metadata'],
    [['parse', '.ai/tools/hello/greet.ts'], 0, 'items'],
    [['index'], 0, 'items'],
    [['runs'], 0, 'runs'],
    [['keys', 'show'], 0, 'fingerprint'],
    [['keys', 'list'], 0, 'keys'],
    [['doctor'], undefined, 'checks'],
    [['nonsense'], 2, 'error'],
    [['keys'], 2, 'error'],
    [['keys', 'nonsense'], 2, 'error'],
    [['search'], 2, 'error'],
    [['search', 'x', '--limti', '3'], 2, 'error'],
    [['search', '(a'], 2, 'error'],
    [['search', 'x', '--scope', 'tols'], 2, 'error'],
    [['load', '../x'], 2, 'error'],
    [['load', 'nothing'], 1, 'error'],
    [['fetch'], 2, 'error'],
    [['execute', 'tool:hello/greet', '--params', '{'], 2, 'error'],
    [['execute', 'tool:hello/greet', '--params', '[]'], 2, 'error'],
    [['keys', 'generate'], 1, 'error'],
    [['keys', 'trust', 'missing.toml'], 1, 'error'],
    [['search', 'x', '--project', '/no/such'], 1, 'error'],
  ])('%j prints one document', async (words: string[], status, member) => {
    const ran = await place.rye([...words, '--json'])
    const answer = ran.json()
    expect(answer).toHaveProperty(member)
    if (status !== undefined) expect(ran.status).toBe(status)
    expect(ran.stderr).toBe('')
    if (member === 'error')
      expect(answer).toMatchObject({ status: 'error', code: expect.stringMatching(/^[A-Z_]+$/) })
  })
})

describe('without --json', () => {
  it('answers go to standard output, without colours in a pipe', async () => {
    const ran = await place.rye(['search', 'greet'])
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toContain('tool:hello/greet')
    expect(ran.stdout).not.toContain('\u001b')
  })

  it('colours come in a terminal, and not under NO_COLOR', async () => {
    const line = `${process.execPath} ${PROGRAM} list`
    const colored = await place.run('script', ['-qec', line, '/dev/null'])
    expect(colored.stdout).toContain('\u001b[1m')
    const plain = await place.run('script', ['-qec', line, '/dev/null'], { env: { NO_COLOR: '1' } })
    expect(plain.stdout).toContain('hello/greet')
    expect(plain.stdout).not.toContain('\u001b[1m')
  })

  it.each([
    [['nonsense'], 2, 'error: unknown command `nonsense`'],
    [['serch', 'x'], 2, 'did you mean `rye search`?'],
    [['keys'], 2, 'expected one of `rye keys generate`'],
    [['keys', 'shw'], 2, 'unknown command `keys shw`; did you mean `rye keys show`?'],
    [['mcp', 'frob'], 2, 'unknown command `mcp frob`\nhint: expected one of `rye mcp add`, `rye mcp list`'],
    [['--jsno', 'list'], 2, 'error: expected a command, got `--jsno`; flags come after the command'],
    [['--json-lines'], 2, 'error: expected a command, got `--json-lines`\n'],
    [['search'], 2, 'usage: rye search QUERY'],
    [['search', 'x', '--limti', '3'], 2, 'did you mean `--limit`?'],
    [['search', 'x', '--limit', 'ten'], 2, '`--limit` expects a number'],
    [['search', 'x', '--type', 'tol'], 2, 'did you mean `tool`?'],
    [['load', 'tol:hello/greet'], 2, 'did you mean `tool`?'],
    [['load', 'hello/gret'], 1, 'did you mean `hello/greet`?'],
    [['show', 'hello/greet', 'more'], 2, 'unexpected `more`'],
    [['completion', 'tcsh'], 2, 'expected one of bash, zsh, fish'],
  ])('%j says what is wrong on standard error', async (words: string[], status, says) => {
    const ran = await place.rye(words)
    expect(ran).toMatchObject({ status, stdout: '' })
    expect(ran.stderr).toContain(says)
  })

  it.each([
    [['--help'], 'usage: rye COMMAND'],
    [['help'], 'usage: rye COMMAND'],
    [[], 'usage: rye COMMAND'],
    [['search', '--help'], 'usage: rye search QUERY'],
    [['help', 'search'], 'usage: rye search QUERY'],
    [['keys', 'trust', '-h'], 'usage: rye keys trust KEY.toml'],
    [['keys', '--help'], 'keys generate'],
    [['--project', '/', '--help'], 'usage: rye COMMAND'],
  ])('%j is help', async (words: string[], says) => {
    const ran = await place.rye(words)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toContain(says)
  })

  it('a reader that stops early is no failure', async () => {
    const ran = await place.run('bash', [
      '-c',
      `${process.execPath} ${PROGRAM} list | head -1; echo "\${PIPESTATUS[0]}"`,
    ])
    expect(ran.stderr).toBe('')
    expect(ran.stdout.split('\n').at(-2)).toBe('0')
  })
})

describe('as a process', () => {
  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['list', '--json'], 0, /"hello\/greet"/, /^$/],
    [['load', 'nothing', '--json'], 1, /"ITEM_NOT_FOUND"/, /^$/],
    [['load', 'nothing'], 1, /^$/, /^error: /],
    [['nonsense'], 2, /^$/, /^error: unknown command/],
  ])('%j has its own status and streams', async (words: string[], status, stdout, stderr) => {
    const ran = await place.start(words)
    expect(ran.status).toBe(status)
    expect(ran.stdout).toMatch(stdout)
    expect(ran.stderr).toMatch(stderr)
  })

  it('reads its own standard input', async () => {
    const words = ['execute', 'hello/greet', '--params', '-', '--json']
    const ran = await place.start(words, { input: '{"who": "Eve"}' })
    expect(ran.json().data.greeting).toBe('hello Eve, from greet')
  })
})

describe('search', () => {
  const find = async (words: readonly string[], env?: Record<string, string>): Promise<string[]> => {
    const call = ['search', 'ranged', '--source', 'project', ...words, '--json']
    // A time zone belongs to a process.
    const ran = await (env ? place.start(call, { env }) : place.rye(call))
    return ran.json().results.map((result: { id: string }) => result.id)
  }

  it('applies every filter and field query, those of one name too', async () => {
    for (const version of ['1.0.0', '1.5.0', '3.0.0'])
      write(
        `.ai/knowledge/v${version[0]}${version[2]}.md`,
        `---\ntitle: T\nversion: "${version}"\n---\nranged, low high\n`,
      )
    const range = ['--filter', 'version=>=1.2', '--filter', 'version=<2.0.0']
    expect(await find(range)).toEqual(['v15'])
    expect(await find([...range, '--filter', 'version=!1.5.0'])).toEqual([])
    expect(await find(['--field', 'content=low', '--field', 'content=high'])).toHaveLength(3)
    expect(await find(['--field', 'content=missing', '--field', 'content=high'])).toEqual([])
  })

  it('dates an item alike in every time zone', async () => {
    write('.ai/knowledge/dated.md', '---\ntitle: T\ncreated: 2024-06-15 23:30:00\n---\nranged\n')
    write('.ai/knowledge/undated.md', '---\ntitle: T\ndate: "chapter 3"\n---\nranged\n')
    const day = ['--date-from', '2024-06-15', '--date-to', '2024-06-15']
    for (const TZ of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
      // With a cache of its own, so that the index is made in this zone.
      const env = { TZ, XDG_CACHE_HOME: join(place.root, 'cache-of', TZ) }
      expect((await place.start(['index'], { env })).status).toBe(0)
      expect(await find(day, env)).toEqual(['dated'])
      expect(await find(['--date-from', '2001-01-01', '--date-to', '2001-12-31'], env)).toEqual([])
    }
  })

  it.each(['2024-13-45', 'yesterday', '2024-06-15T25:00'])(
    'says what is wrong with the date %j',
    async date => {
      const ran = await place.rye(['search', 'ranged', '--date-from', date])
      expect(ran.status).toBe(2)
      expect(ran.stderr).toContain(
        `invalid \`--date-from\`: expected a date such as \`2024-12-31\` or \`2024-12-31T18:00:00Z\`, got \`${date}\``,
      )
    },
  )
})

describe('execute', () => {
  it('reads parameters from standard input, and converts single ones by the schema', async () => {
    const ran = await place.rye(['execute', 'hello/greet', '--params', '-', '--json'], {
      input: '{"who": "Bob"}',
    })
    expect(ran.json().data.greeting).toBe('hello Bob, from greet')
    const bad = await place.rye(['execute', 'hello/greet', '--params', '-', '--json'], { input: 'nonsense' })
    expect(bad.status).toBe(2)
    write(
      '.ai/tools/sum.yaml',
      [
        'version: "1.0.0"',
        'tool_type: yaml',
        'executor_id: rye/core/runtimes/bash/bash',
        'category: ""',
        'description: Echoes',
        'parameters:',
        '  - {name: count, type: integer, required: true}',
        '  - {name: names, type: array}',
        '  - {name: loud, type: boolean}',
        '  - {name: text, type: string}',
        'config:',
        '  command: cat',
        '',
      ].join('\n'),
    )
    await place.rye(['sign', 'sum'])
    const params = ['count=7', 'names=["a","b"]', 'loud=true', 'text=007']
    const typed = await place.rye([
      'execute',
      'sum',
      ...params.flatMap(param => ['--param', param]),
      '--json',
    ])
    expect(typed.json().data).toEqual({ count: 7, names: ['a', 'b'], loud: true, text: '007' })
    expect((await place.rye(['execute', 'sum', '--param', 'count=many'])).status).toBe(2)
    expect((await place.rye(['execute', 'sum', '--json'])).json().code).toBe('PARAMETERS_INVALID')
    // A number that would arrive as a different one is refused.
    const single = await place.rye(['execute', 'sum', '--param', 'count=9007199254740993'])
    expect([single.status, single.stderr]).toEqual([2, expect.stringContaining('cannot be kept exactly')])
    for (const [digits, says] of [
      ['9007199254740993', 'cannot be kept exactly'],
      ['1e400', 'too large to keep'],
    ])
      expect(
        (await place.rye(['execute', 'sum', '--params', `{"count": ${digits}}`, '--json'])).json(),
      ).toMatchObject({ code: 'PARAMETERS_INVALID', error: expect.stringContaining(says!) })
  })

  it('shows the evidence of a tool that fails', async () => {
    await place.rye(['new', 'tool', 'boom', '--language', 'python'])
    const path = join(place.project, '.ai/tools/boom.py')
    const lines = [
      'def execute(params, project_path):',
      '    print("almost")',
      '    raise ValueError("no luck")',
      '',
    ]
    appendFileSync(path, lines.join('\n'))
    await place.rye(['sign', 'boom'])
    const ran = await place.rye(['execute', 'boom'])
    expect(ran).toMatchObject({ status: 1, stdout: '' })
    expect(ran.stderr).toContain('error: ValueError: no luck')
    expect(ran.stderr).toContain('raise ValueError("no luck")')
    write(
      '.ai/tools/bash-boom.sh',
      [
        '#!/usr/bin/env bash',
        '# __version__ = "1.0.0"',
        '# __tool_type__ = "bash"',
        '# __executor_id__ = "rye/core/runtimes/bash/bash"',
        '# __category__ = ""',
        '# __tool_description__ = "Fails"',
        'echo to-stdout; echo to-stderr >&2; exit 3',
        '',
      ].join('\n'),
    )
    await place.rye(['sign', 'bash-boom'])
    const bash = await place.rye(['execute', 'bash-boom'])
    expect(bash.status).toBe(1)
    expect(bash.stderr).toMatch(/exit status 3[\s\S]*to-stdout[\s\S]*to-stderr/)
  })

  it('the project is the current directory, or the one that is named', async () => {
    const elsewhere = await place.run('bash', [
      '-c',
      `cd / && ${process.execPath} ${PROGRAM} execute hello/greet --project ${place.project} --json`,
    ])
    expect(elsewhere.json()).toMatchObject({ status: 'success' })
  })
})

describe('verify', () => {
  it('answers with a sum', async () => {
    const tree = join(place.root, 'tree/.ai/tools')
    mkdirSync(tree, { recursive: true })
    const text = (await place.rye(['load', 'hello/greet', '--json'])).json().content as string
    writeFileSync(join(tree, 'unsigned.ts'), text.slice(text.indexOf('\n') + 1))
    expect((await place.rye(['verify', join(place.root, 'tree')])).status).toBe(4)
    writeFileSync(join(tree, 'moved.ts'), text)
    expect((await place.rye(['verify', join(place.root, 'tree')])).status).toBe(5)
    expect((await place.rye(['verify', 'hello/greet'])).status).toBe(0)
  })
})

describe('dev mode', () => {
  it('says so on standard error too', async () => {
    const ran = await place.rye(['load', 'hello/greet', '--json'], { env: { RYE_DEV_MODE: '1' } })
    expect(ran.json().dev_mode).toBe(true)
    expect(ran.stderr).toContain('RYE_DEV_MODE=1')
  })
})
