// Failures as a person reads them.
import { describe, expect, it } from 'vitest'
import { renderFailure } from '../../src/surfaces/cli/render/failure.ts'

describe('a failure', () => {
  it.each(['issues', 'problems', 'unsigned', 'tampered', 'conflicts'])(
    'lists its %s, hidden characters shown',
    field => {
      const failure = { error: 'it failed', [field]: ['.ai/a: \u001b[2J', 'b'], hint: 'read them' }
      expect(renderFailure(failure)).toBe('error: it failed\n  - .ai/a: \\u{1b}[2J\n  - b\nhint: read them')
    },
  )

  it('says how many more there are', () => {
    const lines = renderFailure({ error: 'x', problems: Array.from({ length: 50 }, String) }).split('\n')
    expect(lines).toHaveLength(42)
    expect(lines.at(-1)).toBe('  - and 10 more')
  })
})
