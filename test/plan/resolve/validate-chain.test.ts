import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { compareVersions, parseFullVersion } from '../../../src/item/version.ts'
import { validateChain } from '../../../src/plan/resolve/validate-chain.ts'
import { fullVersionText } from '../../item/version-arbitraries.ts'
import { makeTool } from '../world.ts'

describe('a valid chain', () => {
  test('says how many pairs were checked', () => {
    const chain = [
      makeTool('a', {}),
      makeTool('b', {}, { space: 'user' }),
      makeTool('c', {}, { space: 'system' }),
    ]
    expect(validateChain(chain)).toBe(2)
  })
})

test.each([
  ['user', 'project'],
  ['system', 'project'],
  ['system', 'user'],
] as const)('an element of %s space cannot depend on one of %s space', (lower, higher) => {
  const chain = [makeTool('a', {}, { space: lower }), makeTool('b', {}, { space: higher })]
  expect(() => validateChain(chain)).toThrow(
    `\`a\` of ${lower} space cannot depend on \`b\` of ${higher} space`,
  )
})

describe('inputs and outputs', () => {
  test.each([
    [['x', 'y'], ['x'], true],
    [[{ name: 'x' }], [{ name: 'x' }], true],
    [{ x: 'text' }, ['x'], true],
    [undefined, ['x'], true],
    [['x'], undefined, true],
    [['x'], ['x', 'z'], false],
    [[], ['z'], false],
  ])('outputs %j give inputs %j: %s', (outputs, inputs, isValid) => {
    const chain = [
      makeTool('a', (outputs === undefined ? {} : { outputs }) as JsonObject),
      makeTool('b', (inputs === undefined ? {} : { inputs }) as JsonObject),
    ]
    if (isValid) expect(validateChain(chain)).toBe(1)
    else expect(() => validateChain(chain)).toThrow('does not declare as outputs: z')
  })

  test('a variable called outputs in a program declares nothing', () => {
    const program = makeTool('a', { outputs: ['x'] }, { extension: '.py' })
    expect(validateChain([program, makeTool('b', { inputs: ['z'] })])).toBe(1)
  })
})

describe('version constraints', () => {
  test.each([
    ['1.2.3', { min_version: '1.2.3' }, undefined],
    ['1.2.3', { max_version: '1.2.3' }, undefined],
    ['1.10.0', { min_version: '1.9.0' }, undefined],
    ['1.9.0', { min_version: '1.10.0' }, 'at least 1.10.0, got 1.9.0'],
    ['2.0.0', { min_version: '1.0.0', max_version: '1.9.9' }, 'at most 1.9.9, got 2.0.0'],
    ['2.0.0-rc.1', { min_version: '2.0.0' }, 'at least 2.0.0'],
    ['latest', { min_version: '1.0.0' }, 'has no version of the form X.Y.Z'],
    [undefined, { min_version: '1.0.0' }, 'has no version of the form X.Y.Z'],
    ['1.0', { min_version: '1.0.0' }, 'has no version of the form X.Y.Z'],
    [1, { min_version: '1.0.0' }, 'has no version of the form X.Y.Z'],
    ['1.0.0', { max_version: '2' }, 'must be of the form X.Y.Z'],
    ['1.0.0', { min_version: 'one' }, 'must be of the form X.Y.Z'],
    ['1.0.0', 'loose', 'must be an object'],
  ])('version %s under %j', (version, constraint, fault) => {
    const chain = [
      makeTool('a', version === undefined ? {} : { version }),
      makeTool('b', { child_constraints: { a: constraint } } as JsonObject),
    ]
    if (fault === undefined) expect(validateChain(chain)).toBe(1)
    else expect(() => validateChain(chain)).toThrow(fault)
  })

  test('apply to both ends inclusively', () => {
    fc.assert(
      fc.property(fullVersionText, fullVersionText, fullVersionText, (version, min_version, max_version) => {
        const parent = makeTool('b', { child_constraints: { a: { min_version, max_version } } })
        const run = () => validateChain([makeTool('a', { version }), parent])
        if (isAtMost(min_version, version) && isAtMost(version, max_version)) expect(run()).toBe(1)
        else expect(run).toThrow('needs `a`')
      }),
    )
  })

  test('apply to the named child only', () => {
    const parent = makeTool('b', { child_constraints: { other: { min_version: '9.0.0' } } })
    expect(validateChain([makeTool('a', { version: '1.0.0' }), parent])).toBe(1)
  })
})

test('every fault is reported at once', () => {
  const chain = [
    makeTool('a', { outputs: [], version: '1.0.0' }, { space: 'system' }),
    makeTool(
      'b',
      { inputs: ['z'], child_constraints: { a: { min_version: '2.0.0' } } },
      { space: 'project' },
    ),
  ]
  expect(() => validateChain(chain)).toThrow(/cannot depend.*does not declare.*at least 2\.0\.0/)
})

function isAtMost(left: string, right: string): boolean {
  return compareVersions(parseFullVersion(left)!, parseFullVersion(right)!) <= 0
}
