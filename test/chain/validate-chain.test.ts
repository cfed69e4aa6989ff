import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/index.ts'
import { compareVersions, parseVersion } from '../../src/chain/semver.ts'
import { validateChain } from '../../src/chain/validate-chain.ts'
import { makeTool } from './world.ts'

describe('a valid chain', () => {
  test('tells how many pairs were checked', () => {
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
    else expect(() => validateChain(chain)).toThrow('does not give: z')
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
    ['latest', { min_version: '1.0.0' }, 'has none of the form X.Y.Z'],
    [undefined, { min_version: '1.0.0' }, 'has none of the form X.Y.Z'],
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

  test('bind the named child alone', () => {
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
  expect(() => validateChain(chain)).toThrow(/cannot depend.*does not give.*at least 2\.0\.0/)
})

test('versions are ordered as semver.org says', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ]
  const versions = ordered.map(text => parseVersion(text)!)
  for (const [index, left] of versions.entries()) {
    for (const [other, right] of versions.entries()) {
      expect(Math.sign(compareVersions(left, right))).toBe(Math.sign(index - other))
    }
  }
  expect(parseVersion('1.0')).toBeUndefined()
  expect(parseVersion(1)).toBeUndefined()
})
