import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/index.ts'
import { describeReview } from '../../../src/sources/review/describe-review.ts'
import { permissionWords } from '../../../src/sources/review/permission-words.ts'
import { reviewItem } from '../../../src/sources/review/review-item.ts'

it.each<[unknown, string]>([
  ['Bash(*)', 'Bash(*)'],
  [['Read', 'Bash(git:*)'], 'Read, Bash(git:*)'],
  [{ network: true }, 'any host of the network'],
  [{ network: false }, ''],
  [
    { network: ['api.example.org', 'x.org:8080'], write: ['out'] },
    'the network (api.example.org, x.org:8080); writing to out',
  ],
  [{ network: false, limits: { memory_mb: 100, processes: 4 } }, 'limits: memory_mb 100, processes 4'],
  [
    [
      { tag: 'cap', content: 'rye.execute.tool.git/*' },
      { tag: 'cap', content: 'rye.load.*' },
    ],
    'rye.execute.tool.git/*, rye.load.*',
  ],
  [{ camera: true, places: { home: ['a', 'b'] }, x: null }, 'camera; places: home a, b'],
  [[{ network: ['a.org'] }, { write: ['b'] }], 'the network (a.org), writing to b'],
  [{ tag: 'cap', content: 'read', network: ['a.org'] }, 'tag: cap; content: read; the network (a.org)'],
  [undefined, ''],
  [3, '3'],
])('%j is asked for as %j', (permissions, words) => {
  expect(permissionWords(permissions)).toBe(words)
})

const linesOf = (metadata: JsonObject, extension = '.ts') =>
  describeReview(
    reviewItem(new Map([[`x${extension}`, Buffer.from('a\n')]]), {
      type: 'tool',
      id: 'x',
      extension,
      metadata,
    }),
  )

it('a program declares what it asks for in its configuration', () => {
  expect(linesOf({ config: { permissions: { network: ['a.org'] } } })).toContain(
    'asks for: the network (a.org)',
  )
  expect(linesOf({}).join()).not.toMatch(/asks for|secrets|variables|private/)
})

it('a tool is shown with the secrets, variables and addresses that it would be given', () => {
  const lines = linesOf(
    {
      executor_id: 'rye/core/runtimes/http/http',
      secrets: ['TOKEN?'],
      env_config: { dotenv: ['REGION'] },
      config: {
        auth: { type: 'bearer', token: `\${KEY}` },
        allow_private: true,
        item_resolve: { of: { type: 'tool', id: 'other/{name}' } },
      },
    },
    '.yaml',
  )
  expect(lines.slice(-5)).toEqual([
    'secrets: TOKEN?, KEY',
    'variables: REGION',
    'uses the secrets of: other/{name}',
    'may reach addresses of this machine and of private networks',
    'runs with: rye/core/runtimes/http/http',
  ])
})

it('shows what a server is started by, word by word', () => {
  const config = { transport: 'stdio', command: 'env', args: ['LD_PRELOAD=/x.so', 'node', '-r', 'a b\u202e'] }
  const server = { tool_type: 'mcp_server', config: { ...config, cwd: '{project_path}/srv' } }
  expect(linesOf(server, '.yaml')).toContain(
    "starts: env LD_PRELOAD=/x.so node -r 'a b\\u{202e}' in '{project_path}/srv'",
  )
  expect(linesOf({ tool_type: 'mcp_server', config: { transport: 'http' } }, '.yaml').join()).not.toContain(
    'starts',
  )
})

it('shows the command that finds an interpreter, for that runs outside of a sandbox', () => {
  const interpreter = { type: 'command', resolve_cmd: ['sh', '-c', 'which ruby'] }
  expect(linesOf({ env_config: { interpreter } })).toContain('runs outside of a sandbox: sh -c which ruby')
  const hostile = {
    type: 'command',
    resolve_cmd: ['{project_path}/x', '\u001b[2K', `\n${'y'.repeat(1000)}; id`],
  }
  expect(linesOf({ env_config: { interpreter: hostile } })).toContain(
    `runs outside of a sandbox: {project_path}/x \\u{1b}[2K \\u{a}${'y'.repeat(1000)}; id`,
  )
})

it('shows the settings that are read, and the values of variables', () => {
  const lines = linesOf(
    {
      env_config: { dotenv: ['REGION'], env: { LEVEL: 1, FLAGS: "-a, PATH='/x'" } },
      config_resolve: [{ path: 'web/sites.yaml' }, { path: 'web/more.yaml' }],
      anchor: { mode: 'always', env_paths: { PYTHONPATH: { prepend: ['{anchor_path}'] } } },
    },
    '.yaml',
  )
  expect(lines.slice(1)).toEqual([
    `variables: REGION, LEVEL=1, FLAGS='-a, PATH='\\''/x'\\''', PYTHONPATH='{anchor_path}:\${PYTHONPATH}'`,
    'reads the settings: web/sites.yaml, web/more.yaml',
  ])
})

it('shows first what chooses the code that runs, with its line', () => {
  const text = 'env_config:\n  env:\n    LD_PRELOAD: "{project_path}/x.so"\n'
  const files = new Map([
    ['tools/x.yaml.sig', Buffer.from('LD_PRELOAD')],
    ['tools/x.yaml', Buffer.from(text)],
  ])
  const seen = reviewItem(files, {
    type: 'tool',
    id: 'x',
    extension: '.yaml',
    metadata: { env_config: { env: { LD_PRELOAD: '{project_path}/x.so', LEVEL: '1' } } },
  })
  expect(seen.findings).toEqual([
    {
      code: 'chooses-code',
      path: 'tools/x.yaml',
      line: 3,
      message: "chooses what programs load or run: LD_PRELOAD='{project_path}/x.so'",
    },
  ])
  expect(describeReview(seen)[0]).toBe(
    "! tools/x.yaml:3: chooses what programs load or run: LD_PRELOAD='{project_path}/x.so'",
  )
})

it('shows whose caller chooses where credentials go', () => {
  const asks = (metadata: JsonObject) => linesOf(metadata, '.yaml')
  const config = { url: '{url}', auth: { type: 'bearer', token: `\${KEY}` } }
  expect(asks({ config })[0]).toBe(
    '! x.yaml:1: sends what it is given to whichever host its caller names: KEY',
  )
  const item_resolve = { of: { id: 'servers/{name}' } }
  expect(asks({ config: { url: '{url}', item_resolve } })[0]).toBe(
    '! x.yaml:1: sends what it is given to whichever host its caller names: the secrets of servers/{name}',
  )
  expect(asks({ config: { url: '{url}' } })).toEqual([
    'x.yaml, 2 bytes, no licence',
    'sends its request to whichever host its caller names',
  ])
  expect(asks({ config: { ...config, url: 'https://a.example/{path}' } }).join()).not.toContain('whichever')
})

it('shows the host of a request before others, however it is written', () => {
  const text = Array.from({ length: 30 }, (_, at) => `# https://a${at}.example/`).join('\n')
  const seen = (url: string) =>
    describeReview(
      reviewItem(new Map([['x.yaml', Buffer.from(text)]]), {
        ...{ type: 'tool', id: 'x', extension: '.yaml', metadata: { config: { url } } },
      }),
    )[1]
  expect(seen('https:\\\\Z.EXAMPLE/{id}')).toMatch(/^addresses: z\.example, a0\.example, .*, and 19 more$/)
  expect(seen(`https://\${HOST:-z\n.example}/`)).toMatch(
    /^addresses: https:\/\/\$\{HOST:-z\\u\{a\}\.example\}\/, a0\.example, /,
  )
})

it('cuts and escapes what it shows of values, however they are written', () => {
  const long = 'x'.repeat(70_000)
  const lines = linesOf(
    {
      env_config: {
        env: {
          A: 'a\u001b[2J\nsecrets: none',
          B: '\u202egpj',
          PATH: long,
          'C=1\nD': { a: null },
          E: null,
          F: false,
        },
      },
      config_resolve: { path: 'a\n! b' },
    },
    '.yaml',
  )
  expect(lines.every(line => /^[\x20-\x7e]*$/.test(line))).toBe(true)
  expect(lines[0]).toBe(`! x.yaml:1: chooses what programs load or run: PATH=${'x'.repeat(120)}...`)
  expect(lines.slice(-2)).toEqual([
    `variables: A='a\\u{1b}[2J\\u{a}secrets: none', B='\\u{202e}gpj', PATH=${'x'.repeat(200)}..., 'C=1\\u{a}D'='{"a":null}', E=null, F=false`,
    'reads the settings: a\\u{a}! b',
  ])
})

it('takes a time that grows with the text alone, however many variables are set', () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `LD_${at}`)
  const text = Buffer.from([...names].reverse().join('\n'))
  const metadata = { env_config: { env: Object.fromEntries(names.map(name => [name, '1'])) } }
  const seen = reviewItem(new Map([['x.yaml', text]]), {
    type: 'tool',
    id: 'x',
    extension: '.yaml',
    metadata,
  })
  expect(seen.findings[0]).toMatchObject({ line: 1, message: expect.stringContaining('LD_29999=1') })
  expect(seen.more_findings).toBe(29_900)
  expect(describeReview(seen)).toContain('! it asks for more than is shown here: read its text')
})

it.each<JsonObject>([
  { env_config: { env: ['x'], interpreter: 'x' } },
  { env_config: { interpreter: { type: 'command', resolve_cmd: [Object.create(null), 1] } } },
  { env_config: { env: Object.assign(Object.create(null), { A: Object.create(null) }) } },
  { anchor: { mode: 'always', env_paths: { A: [1], B: { prepend: {} } } }, config_resolve: [[], 3] },
  { tool_type: 'mcp_server', config: { env: 'x', url: 1 } },
])('is not stopped by a declaration of another kind: %j', metadata => {
  expect(linesOf(metadata, '.yaml')).toContain('x.yaml, 2 bytes, no licence')
})

it('shows the hosts of a skill where a skill names them', () => {
  const review = reviewItem(new Map([['SKILL.md', Buffer.from('a\n')]]), {
    type: 'skill',
    id: 'caller',
    extension: '.md',
    metadata: { metadata: { permissions: ['network:api.example.com'] } },
  })
  expect(describeReview(review)).toContain('asks for: network:api.example.com')
})

it('shows the last of a hundred hosts, and says of more that it is not shown', () => {
  const hosts = Array.from({ length: 99 }, (_, index) => `${'a'.repeat(60)}.${'b'.repeat(60)}.h${index}.org`)
  const asks = (write: string[]) =>
    linesOf({ config: { permissions: { write, network: [...hosts, 'last.example'] } } })
  expect(asks([]).join('\n')).toContain('last.example')
  expect(asks(['x'.repeat(60_000)])).toContain('! it asks for more than is shown here: read its text')
})
