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

it('shows the command that finds an interpreter, for that runs outside of a sandbox', () => {
  const interpreter = { type: 'command', resolve_cmd: ['sh', '-c', 'which ruby'] }
  expect(linesOf({ env_config: { interpreter } })).toContain('runs outside of a sandbox: sh -c which ruby')
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
