import { expect, test } from 'vitest'
import { resolveExecutorId, unusedCopy } from '../../../src/plan/resolve/executor-id.ts'

// Pinned: older signed tools name these aliases, so none may ever change.
const ALIASES = [
  ['python_function_runtime', 'rye/core/runtimes/python/function'],
  ['python_script_runtime', 'rye/core/runtimes/python/script'],
  ['node_runtime', 'rye/core/runtimes/node/node'],
  ['bash_runtime', 'rye/core/runtimes/bash/bash'],
  ['mcp_http_runtime', 'rye/core/runtimes/mcp/http'],
  ['mcp_stdio_runtime', 'rye/core/runtimes/mcp/stdio'],
  ['http_runtime', 'rye/core/runtimes/http/http'],
] as const

test.each(ALIASES)('%s stands for %s, with and without its folder', (alias, id) => {
  expect(resolveExecutorId(alias)).toBe(id)
  expect(resolveExecutorId(`rye/core/runtimes/${alias}`)).toBe(id)
})

test.each([
  ['subprocess', 'rye/core/primitives/subprocess'],
  ['http_client', 'rye/core/primitives/http_client'],
  ['mcp', 'rye/core/primitives/mcp'],
  ['rye/core/primitives/execute', 'rye/core/primitives/subprocess'],
  ['python/script', 'rye/core/runtimes/python/script'],
])('%s stands for %s', (alias, id) => {
  expect(resolveExecutorId(alias)).toBe(id)
})

test.each(['rye/core/runtimes/python/function', 'my/runtime', 'my/python_function_runtime', 'constructor'])(
  '%s stands for itself',
  id => {
    expect(resolveExecutorId(id)).toBe(id)
  },
)

const OWN = { type: 'tool', id: 'rye/core/runtimes/python/function', space: 'project' } as const

test.each([
  ['a runtime', OWN],
  ['a primitive', { ...OWN, id: 'rye/core/primitives/subprocess' }],
  ['one of the user', { ...OWN, space: 'user' as const }],
  ['another core tool that says that it is a runtime', { ...OWN, id: 'rye/core/x', toolType: 'runtime' }],
])('%s of one’s own is not used', (_, item) => {
  expect(unusedCopy(item, 'refuse')).toMatch(/is not used: .* `execute.core_shadowing = "allow"`$/)
  expect(unusedCopy(item, 'allow')).toBeUndefined()
})

test.each([
  ['the package’s own', { ...OWN, space: 'system' as const }],
  ['knowledge of that name', { ...OWN, type: 'knowledge' }],
  ['a core tool that runs no others', { ...OWN, id: 'rye/core/x', toolType: 'python' }],
  ['a core tool that does not say what it is', { ...OWN, id: 'rye/core/x' }],
  ['a runtime under another name', { ...OWN, id: 'my/runtime', toolType: 'runtime' }],
  ['a name that begins likewise', { ...OWN, id: 'rye/core-x/runtimes/a', toolType: 'runtime' }],
])('%s is used', (_, item) => {
  expect(unusedCopy(item, 'refuse')).toBeUndefined()
})
