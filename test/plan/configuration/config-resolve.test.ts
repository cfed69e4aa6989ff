import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { mergeLayers, resolveConfig } from '../../../src/plan/configuration/config-resolve.ts'
import { deepMerge, mergeConfiguration } from '../../../src/plan/configuration/configuration.ts'
import { failureOf, makeContext, makeTool } from '../world.ts'

const LAYERS = [
  { space: 'user' as const, data: { a: { x: 2, y: 2 }, list: [2], extends: 'base' } },
  { space: 'project' as const, data: { a: { x: 3 } } },
  { space: 'system' as const, data: { a: { x: 1, y: 1, z: 1 }, list: [1], only: true } },
]

describe('layers of settings', () => {
  test('are laid project over user over system', () => {
    expect(mergeLayers(LAYERS, 'deep_merge')).toEqual({ a: { x: 3, y: 2, z: 1 }, list: [2], only: true })
  })

  test('or the first alone is taken', () => {
    expect(mergeLayers(LAYERS, 'first_match')).toEqual({ a: { x: 3 } })
  })

  test('do not depend on the order in which they come', () => {
    expect(mergeLayers([...LAYERS].reverse(), 'deep_merge')).toEqual(mergeLayers(LAYERS, 'deep_merge'))
  })

  test('that are missing give nothing', () => {
    expect(mergeLayers([], 'deep_merge')).toEqual({})
  })

  test('reach no prototype', () => {
    const data = JSON.parse('{"__proto__": {"polluted": "yes"}, "a": {"__proto__": {"polluted": "yes"}}}')
    mergeLayers(
      [
        { space: 'project', data },
        { space: 'user', data },
      ],
      'deep_merge',
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('config_resolve', () => {
  const { readConfig } = makeContext({
    configs: { 'a.yaml': { project: { x: 1 } }, 'b/c.yaml': { user: { y: 2 } } },
  })

  test('may ask for several files, laid over each other in order', async () => {
    const tool = makeTool('t', {
      config_resolve: [{ path: 'a.yaml', mode: 'first_match' }, { path: 'b/c.yaml' }],
    })
    expect(await resolveConfig(tool, readConfig)).toEqual({ x: 1, y: 2 })
  })

  test.each([
    [{ path: '../keys/private.yaml' }, 'is not allowed'],
    [{ path: '/etc/passwd' }, 'empty segment'],
    [{ mode: 'deep_merge' }, 'expected a string'],
    [{ path: 'a.yaml', mode: 'guess' }, 'expected mode deep_merge or first_match'],
    ['a.yaml', 'must be an object'],
  ])('%j is refused', async (declared, reason) => {
    const failure = await failureOf(
      resolveConfig(makeTool('t', { config_resolve: declared } as JsonObject), readConfig),
    )
    expect(failure.code).toBe('CONFIG_INVALID')
    expect(failure.message).toContain(reason)
  })
})

describe('the configuration of a chain', () => {
  const primitive = makeTool('p', { config: { retry: { n: 1, m: 1 }, timeout: 1 } })
  const runtime = makeTool('r', {
    config: { command: 'bash', args: ['x'], retry: { n: 2 }, inline: { args: ['-c'] } },
  })

  test('is the stronger the nearer to the tool', () => {
    const tool = makeTool('t', { config: { timeout: 9, retry: { k: 3 } } }, { extension: '.sh' })
    expect(mergeConfiguration([tool, runtime, primitive])).toMatchObject({
      command: 'bash',
      args: ['x'],
      timeout: 9,
      retry: { n: 2, m: 1, k: 3 },
    })
  })

  test('a tool with a runtime does not choose the program', () => {
    const tool = makeTool('t', { config: { command: 'evil', args: ['evil'], stdin: 'evil' } })
    expect(mergeConfiguration([tool, runtime, primitive])).toMatchObject({ command: 'bash', args: ['-c'] })
  })

  test('a tool without a runtime does', () => {
    const tool = makeTool('t', { config: { command: 'git', args: ['status'] } })
    expect(mergeConfiguration([tool, primitive])).toMatchObject({ command: 'git', args: ['status'] })
  })

  test('lists replace, objects merge', () => {
    expect(deepMerge({ a: [1], b: { c: 1 }, d: 1 }, { a: [2], b: { e: 2 }, d: null })).toEqual({
      a: [2],
      b: { c: 1, e: 2 },
      d: null,
    })
  })
})
