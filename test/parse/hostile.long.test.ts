import { describe, expect, it } from 'vitest'
import { LineMap } from '../../src/base/diagnostic.ts'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { HOSTILE_INPUTS } from './hostile.ts'

// Each must return a result, well within a test's timeout. The benchmark measures how fast.
describe('hostile input gives a result', () => {
  for (const { parser, extension, title, bytes } of HOSTILE_INPUTS) {
    it(`${parser} ${extension}: ${title}`, async () => {
      const { metadata, diagnostics } = await parseBytes(parser, bytes, extension)
      expect(diagnostics.filter(({ code }) => code === 'parser-failure')).toEqual([])
      expect(Object.getPrototypeOf(metadata)).toBe(null)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      if (bytes.length > 1_000_000) return
      const text = new TextDecoder().decode(bytes)
      const last = new LineMap(text).position(text.length).line
      for (const { line } of diagnostics) expect(line >= 1 && line <= last).toBe(true)
    })
  }
})
