import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/base/app-error.ts'
import type { Space } from '../../../src/item/space.ts'
import { printChain, resolveChain } from '../../../src/plan/resolve/resolve-chain.ts'
import type { ToolLookup, VerifiedTool } from '../../../src/plan/types.ts'
import { failureOf, lookupIn, makeTool } from '../world.ts'

const SUBPROCESS = makeTool(
  'rye/core/primitives/subprocess',
  { tool_type: 'primitive', executor_id: null },
  { space: 'system' },
)
const PYTHON = makeTool(
  'rye/core/runtimes/python/function',
  { tool_type: 'runtime', executor_id: 'rye/core/primitives/subprocess' },
  { space: 'system' },
)

function resolve(
  tool: VerifiedTool,
  others: readonly VerifiedTool[],
  coreShadowing: 'refuse' | 'allow' = 'refuse',
) {
  return resolveChain(tool, { lookup: lookupIn([tool, ...others]), coreShadowing })
}

function ids(elements: readonly VerifiedTool[]): string[] {
  return elements.map(element => `${element.id}@${element.space}`)
}

describe('a chain', () => {
  test('runs from the tool through its runtime to the primitive', async () => {
    const tool = makeTool('my/tool', { tool_type: 'python', executor_id: PYTHON.id })
    const { elements, primitive } = await resolve(tool, [PYTHON, SUBPROCESS])
    expect(primitive).toBe('subprocess')
    expect(printChain(elements)).toBe(
      'my/tool (project) -> rye/core/runtimes/python/function (system) -> rye/core/primitives/subprocess (system)',
    )
  })

  test('may lead from a tool straight to a primitive', async () => {
    const { elements } = await resolve(makeTool('my/tool', { executor_id: 'subprocess' }), [SUBPROCESS])
    expect(elements.map(element => element.id)).toEqual(['my/tool', SUBPROCESS.id])
  })

  test('may pass through several runtimes', async () => {
    const mine = makeTool('my/runtime', { tool_type: 'runtime', executor_id: PYTHON.id }, { space: 'user' })
    const tool = makeTool('my/tool', { executor_id: 'my/runtime' })
    const { elements } = await resolve(tool, [mine, PYTHON, SUBPROCESS])
    expect(ids(elements)[1]).toBe('my/runtime@user')
  })
})

test.each([
  ['.sh', '# __executor_id__ = "rye/core/runtimes/bash/bash"'],
  ['.ts', "export const __executor_id__ = 'rye/core/runtimes/node/node'"],
  ['.py', '__executor_id__ = "rye/core/runtimes/python/function"'],
  ['.js', "export const __executor_id__ = 'rye/core/runtimes/node/node'"],
  ['.js', "exports.__executor_id__ = 'rye/core/runtimes/node/node'"],
  ['.cjs', "exports.__executor_id__ = 'rye/core/runtimes/node/node'"],
  ['.yaml', 'executor_id: rye/core/primitives/subprocess'],
  ['.json', '"executor_id": "rye/core/primitives/subprocess"'],
  ['.toml', 'executor_id = "rye/core/primitives/subprocess"'],
])('a %s file without a runtime is told how to name one', async (extension, line) => {
  const tool = makeTool('my/tool', {}, { extension })
  await expect(resolve(tool, [SUBPROCESS])).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
    hint: expect.stringContaining(line),
  })
})

describe('spaces', () => {
  const decoy = makeTool('lib/runtime', { tool_type: 'runtime', executor_id: 'decoy' }, { space: 'project' })
  const own = makeTool('lib/runtime', { tool_type: 'runtime', executor_id: 'subprocess' }, { space: 'user' })

  test('a user tool never gets a runtime of the project', async () => {
    const tool = makeTool('my/tool', { executor_id: 'lib/runtime' }, { space: 'user' })
    const { elements } = await resolve(tool, [decoy, own, SUBPROCESS])
    expect(ids(elements)[1]).toBe('lib/runtime@user')
  })

  test('a core runtime is taken from the package although the project has one of its name', async () => {
    const shadow = makeTool(PYTHON.id, { tool_type: 'runtime', executor_id: 'decoy' }, { space: 'project' })
    const tool = makeTool('my/tool', { executor_id: PYTHON.id })
    const { elements } = await resolve(tool, [shadow, PYTHON, SUBPROCESS])
    expect(ids(elements)[1]).toBe(`${PYTHON.id}@system`)
  })

  test('the user may allow a project to shadow core runtimes', async () => {
    const shadow = makeTool(
      PYTHON.id,
      { tool_type: 'runtime', executor_id: 'subprocess' },
      { space: 'project' },
    )
    const tool = makeTool('my/tool', { executor_id: PYTHON.id })
    const { elements } = await resolve(tool, [shadow, PYTHON, SUBPROCESS], 'allow')
    expect(ids(elements)[1]).toBe(`${PYTHON.id}@project`)
  })
})

describe('what breaks a chain is an error that shows how far it went', () => {
  test.each([
    ['a missing link', makeTool('a', { executor_id: 'b' }), [], 'CHAIN_BROKEN', 'a (project) -> ?'],
    [
      'a missing link further on',
      makeTool('a', { executor_id: 'b' }),
      [makeTool('b', { tool_type: 'runtime', executor_id: 'c' }, { space: 'system' })],
      'CHAIN_BROKEN',
      'a (project) -> b (system) -> ?',
    ],
    ['no executor', makeTool('a', { tool_type: 'python' }), [], 'CHAIN_BROKEN', 'a (project) -> ?'],
    ['an empty executor', makeTool('a', { executor_id: '' }), [], 'CHAIN_BROKEN', 'a (project) -> ?'],
    [
      'an executor that is no id',
      makeTool('a', { executor_id: '../b' }),
      [],
      'CHAIN_BROKEN',
      'a (project) -> ?',
    ],
    [
      'an executor that is no text',
      makeTool('a', { executor_id: 7 }),
      [],
      'CHAIN_BROKEN',
      'a (project) -> ?',
    ],
    ['itself', makeTool('a', { tool_type: 'x', executor_id: 'a' }), [], 'CHAIN_CYCLE', 'a (project) -> a'],
    [
      'a longer cycle',
      makeTool('a', { executor_id: 'b' }),
      [
        makeTool('b', { tool_type: 'runtime', executor_id: 'c' }),
        makeTool('c', { tool_type: 'runtime', executor_id: 'b' }),
      ],
      'CHAIN_CYCLE',
      'a (project) -> b (project) -> c (project) -> b',
    ],
    [
      'an unknown primitive',
      makeTool('a', { executor_id: 'rye/core/primitives/teleport' }),
      [],
      'PRIMITIVE_UNKNOWN',
      'a (project) -> ?',
    ],
    [
      'an end that is no primitive',
      makeTool('a', { executor_id: 'b' }),
      [makeTool('b', { tool_type: 'runtime', executor_id: null })],
      'PRIMITIVE_UNKNOWN',
      'a (project) -> b (project)',
    ],
    [
      'a tool in the middle',
      makeTool('a', { executor_id: 'b' }),
      [makeTool('b', { tool_type: 'python', executor_id: 'subprocess' }), SUBPROCESS],
      'CHAIN_INVALID',
      'a (project) -> b (project)',
    ],
  ])('%s', async (_, tool, others, code, chain) => {
    const failure = await failureOf(resolve(tool, others))
    expect(failure.code).toBe(code)
    expect(failure.message.endsWith(`chain: ${chain}`)).toBe(true)
  })

  test.each([
    ['verified in both', { project: 'verified', user: 'verified' }, 'project'],
    ['verified in the user space', { user: 'verified' }, 'user'],
    ['not verified in the user space', { user: 'unsigned' }, 'user'],
    ['not verified in the project', { project: 'unsigned' }, 'project'],
    ['verified in one alone', { project: 'unsigned', user: 'verified' }, 'user'],
  ] as const)(
    'a runtime under rye/core/ that policy keeps out is named where it is: %s',
    async (_, at, space) => {
      const id = 'rye/core/runtimes/mine'
      const copies = Object.entries(at).map(([space, status]) =>
        makeTool(id, { tool_type: 'runtime' }, { space: space as Space, verdict: { status } }),
      )
      const lookup: ToolLookup = async (wanted, from) => {
        const found = await lookupIn(copies)(wanted, from)
        if (found?.verdict.status === 'unsigned')
          throw new AppError('ITEM_UNSIGNED', `\`${wanted}\` is not signed`)
        return found
      }
      const failure = await failureOf(
        resolveChain(makeTool('a', { executor_id: id }), { lookup, coreShadowing: 'refuse' }),
      )
      expect(failure.code).toBe('POLICY_DENIED')
      expect(failure.message).toContain(`is in the ${space} space and is not used`)
    },
  )

  test('an element that could not be parsed names the place', async () => {
    const tool = makeTool('a', { executor_id: 'b' })
    const bad: VerifiedTool = {
      ...makeTool('b', {}),
      diagnostics: [
        { severity: 'error', code: 'yaml-syntax', message: 'unexpected end', line: 3, column: 7 },
      ],
    }
    const failure = await failureOf(resolve(tool, [bad]))
    expect(failure.code).toBe('ITEM_MALFORMED')
    expect(failure.message).toContain('b.yaml:3:7: unexpected end')
  })

  test('ten elements are a chain, eleven are not', async () => {
    const runtimes = (count: number) => [
      SUBPROCESS,
      ...Array.from({ length: count }, (_, index) =>
        makeTool(`r${index}`, {
          tool_type: 'runtime',
          executor_id: index + 1 < count ? `r${index + 1}` : 'subprocess',
        }),
      ),
    ]
    const tool = makeTool('a', { executor_id: 'r0' })
    expect((await resolve(tool, runtimes(8))).elements).toHaveLength(10)
    const failure = await failureOf(resolve(tool, runtimes(9)))
    expect(failure.code).toBe('CHAIN_TOO_DEEP')
    expect(failure.message).toContain('expected at most 10 elements')
  })

  test.each(['mcp_server', 'runtime', 'extractor', 'primitive', 'parser'])(
    'an item of tool_type %s cannot be run by itself',
    async kind => {
      const failure = await failureOf(resolve(makeTool('a', { tool_type: kind, executor_id: null }), []))
      expect(failure.code).toBe('CHAIN_INVALID')
      expect(failure.message).toContain('cannot be run by itself')
      expect(failure.hint).toBeTruthy()
    },
  )

  test('a tampered element is refused even if a lookup returns it', async () => {
    const bad = makeTool(
      'b',
      { tool_type: 'runtime', executor_id: 'subprocess' },
      { verdict: { status: 'tampered' } },
    )
    await expect(resolve(makeTool('a', { executor_id: 'b' }), [bad, SUBPROCESS])).rejects.toThrow(
      'unreachable',
    )
  })
})

test('resolution does not depend on the order in which items are listed', async () => {
  const tools = [
    makeTool('r1', { tool_type: 'runtime', executor_id: 'r2' }, { space: 'project' }),
    makeTool('r1', { tool_type: 'runtime', executor_id: 'r2' }, { space: 'user' }),
    makeTool('r2', { tool_type: 'runtime', executor_id: 'subprocess' }, { space: 'user' }),
    makeTool('r2', { tool_type: 'runtime', executor_id: 'subprocess' }, { space: 'system' }),
    SUBPROCESS,
  ]
  const tool = makeTool('a', { executor_id: 'r1' })
  const permutation = fc.shuffledSubarray(tools, { minLength: tools.length })
  await fc.assert(
    fc.asyncProperty(permutation, async shuffled => {
      const { elements } = await resolve(tool, shuffled)
      expect(ids(elements)).toEqual(['a@project', 'r1@project', 'r2@user', `${SUBPROCESS.id}@system`])
    }),
    { numRuns: 50 },
  )
})
