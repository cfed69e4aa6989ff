import { expect, it } from 'vitest'
import { extractItem } from '../../src/extract/index.ts'
import { readSystemExtractors } from '../../src/workspace/load-extractors.ts'
import { withSkillText } from '../../src/workspace/skill-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

it('search reads how the references of a skill begin, and their headings, however long they are', async () => {
  const main = bytes('---\nname: s\ndescription: Does\n---\nMain text\n')
  const manual = `# Manual\n\nopening\n\n${'filler '.repeat(2000)}\n\n## Appendix\n\nburied\n`
  const files = new Map([['SKILL.md', main]])
  for (let number = 0; number < 40; number++) files.set(`references/m${number}.md`, bytes(manual))
  const extractor = readSystemExtractors().get('skill')!
  const parsed = await extractItem(extractor, { id: 's', extension: '.md', bytes: main })
  const { body } = await withSkillText(parsed, files)
  expect(body).toMatch(/Main text[\s\S]*# Manual\n\nopening[\s\S]*\nAppendix/)
  expect(body).not.toContain('buried')
  expect(body!.length).toBeLessThan(25_000)
})

it.each([
  ['---\nname: s\ndescription: Does\n---\nText\n', []],
  ['---\nname: s\ndescription: Does\nrouting_keywords: [a, b]\n---\nText\n', ['a', 'b']],
  ['---\nname: s\ndescription: Does\nmetadata:\n  intents: [mix]\n---\nText\n', ['mix']],
])('keywords of a skill without other files are found in %j', async (text, keywords) => {
  const main = bytes(text)
  const extractor = readSystemExtractors().get('skill')!
  const parsed = await extractItem(extractor, { id: 's', extension: '.md', bytes: main })
  const { metadata, body } = await withSkillText(parsed, new Map([['SKILL.md', main]]))
  expect(metadata.keywords).toEqual(keywords)
  expect(body).toBe('Text')
})

it('search reads the tools of a skill under the ids that `execute` takes', async () => {
  const main = bytes('---\nname: s\ndescription: Does\n---\nText\n')
  const script = '@skill_command\ndef run(): pass\n@skill_resource(name="run")\ndef read(): pass\n'
  const extractor = readSystemExtractors().get('skill')!
  const parsed = await extractItem(extractor, { id: 'team/s', extension: '.md', bytes: main })
  const files = new Map([
    ['SKILL.md', main],
    ['scripts/a.py', bytes(script)],
  ])
  const { body } = await withSkillText(parsed, files)
  expect(body).toContain('team/s.run: ')
  expect(body).toContain('team/s.run#resource: ')
})
