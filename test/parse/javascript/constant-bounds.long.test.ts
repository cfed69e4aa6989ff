// How much constants may repeat by naming each other, and how deeply one may nest.
import { describe, expect, it } from 'vitest'
import { readConfig } from './read-config.ts'

describe('what names repeat is bounded', () => {
  const chain = (first: string, next: (name: string) => string, levels: number) => {
    const lines = Array.from({ length: levels }, (_, level) => `const a${level + 1} = ${next(`a${level}`)}\n`)
    return `const a0 = ${first}\n${lines.join('')}export const CONFIG = { a: a${levels}, b: 1 }`
  }

  it.each([
    ['lists', '[1]', (name: string) => `[...${name}, ...${name}]`],
    ['objects', '{ a: 1 }', (name: string) => `{ b: [...[${name}, ${name}]], ...${name} }`],
    ['templates', "'a'", (name: string) => `\`\${${name}}\${${name}}\``],
    ['sums', "'a'", (name: string) => `${name} + ${name}`],
    ['references', '[1]', (name: string) => `[${name}, ${name}]`],
    ['problems', '[f(), f()]', (name: string) => `[${name}, ${name}]`],
    ['names', '[1]', (name: string) => name],
  ])('%s', async (_, first, next) => {
    for (const levels of [40, 4_000]) {
      const { config, told } = await readConfig(chain(first, next, levels))
      expect(config === undefined || JSON.stringify(config).length < 3_000_000).toBe(true)
      expect(told.length).toBeLessThanOrEqual(21)
    }
  })

  it('20 000 items are repeated in one file, and not one more', async () => {
    const text = (items: number) =>
      `const a = [${'1,'.repeat(10_000)}]\nconst b = [...a]\nconst c = [${'1,'.repeat(items)}]\nexport const CONFIG = { d: [...c] }`
    expect((await readConfig(text(10_000))).told).toEqual([])
    expect((await readConfig(text(10_001))).told).toEqual([
      '4:29 warning: expected `CONFIG.d` to be a constant, got more data than is read from one file',
    ])
  })

  it.each([
    ['lists', '[1]', (name: string) => `[...${name}, ...${name}]`, '15:14'],
    ['texts', "'a'", (name: string) => `${name} + ${name}`, '21:13'],
  ])('is told where too much is asked for: %s', async (_, first, next, place) => {
    const { told } = await readConfig(chain(first, next, 30))
    expect(told).toEqual([
      `${place} warning: expected \`CONFIG.a\` to be a constant, got more data than is read from one file`,
    ])
  })

  it('200 levels of one expression are read, and not one more', async () => {
    const nested = (levels: number) =>
      `export const CONFIG = ${'`${'.repeat(levels - 1)}1${'}`'.repeat(levels - 1)}`
    expect(await readConfig(nested(200))).toEqual({ config: '1', told: [] })
    expect((await readConfig(nested(201))).told[0]).toMatch(/got too many levels of nesting$/)
  })
})
