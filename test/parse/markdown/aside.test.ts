// Text outside of both body and metadata: search finds it, nobody follows it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

async function asideOf(parser: 'markdown/xml' | 'markdown/frontmatter', text: string) {
  return (await parseBytes(parser, Buffer.from(text), '.md')).aside
}

function directive(inside: string): string {
  return `\`\`\`xml\n<directive name="a" version="1.0.0">${inside}</directive>\n\`\`\`\n\nthe body\n`
}

describe('what stands beside the body of a directive', () => {
  it('is its heading, and what its process and outputs say, each step by itself', async () => {
    const text = directive(
      '<metadata><description>what</description></metadata><inputs><input name="in">given</input></inputs>' +
        '<process><step name="first"><description>Walk &amp; run</description><action>Feed it</action></step>' +
        '<step name="second">Do <b>this</b> now</step></process><outputs><success>Done</success></outputs>',
    )
    expect(await asideOf('markdown/xml', `# Heading\n\nSome prose.\n\n${text}`)).toBe(
      '# Heading\n\nSome prose.\n\nWalk & run\nFeed it\nDo this now\nfirst\nsecond\nDone',
    )
  })

  it('is the fence as written when that is broken, and nothing when there is none', async () => {
    expect(await asideOf('markdown/xml', directive('<process>Walk</proces>'))).toContain('Walk')
    expect(await asideOf('markdown/xml', 'no fence\n')).toBe('')
  })

  it('has every word of every step, however deep', async () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/)
    const { tree } = fc.letrec<{ tree: string }>(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word.map(text => ` ${text} `),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(parts => `<step>${parts.join('')}</step>`),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(tree, async inside => {
        const found = await asideOf('markdown/xml', directive(`<process>${inside}</process>`))
        const words = inside.replaceAll(/<\/?step>/g, ' ').match(/[a-z]+/g) ?? []
        expect((found ?? '').match(/[a-z]+/g) ?? []).toEqual(words)
      }),
    )
  })
})

describe('what stands beside the body of an entry', () => {
  it.each([
    ['# Dingo\n\n```yaml\nname: k1\ntitle: When\n```\n\nBody.\n', '# Dingo'],
    ['---\ntitle: When\n---\n# Dingo\n', ''],
    ['# Dingo\n', ''],
  ])('%j has %j', async (text, aside) => {
    expect(await asideOf('markdown/frontmatter', text)).toBe(aside)
  })
})
