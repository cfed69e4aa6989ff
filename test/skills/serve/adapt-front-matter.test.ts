import { expect, it } from 'vitest'
import { adaptFrontMatter } from '../../../src/skills/serve/adapt-front-matter.ts'
import { serveSkill } from '../../../src/skills/serve/serve-skill.ts'

async function adapt(text: string) {
  const adapted = await adaptFrontMatter(Buffer.from(text), 'a')
  return [Buffer.from(adapted!.bytes).toString(), adapted!.fields]
}

it.each([
  [
    'text in quotes that goes on at the margin',
    '---\nname: a\ndescription: "first\nsecond"\n---\n# A\n',
    '---\nname: "a"\ndescription: "first second"\n---\n# A\n',
    [],
  ],
  [
    'tabs',
    '---\nname: a\ndescription: x\nmetadata:\n\tauthor: me\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\nmetadata: {"author": "me"}\n---\n# A\n',
    [],
  ],
  [
    'numbers where texts belong',
    '---\nname: a\ndescription: x\nallowed-tools: [1.10, b]\nmetadata: {version: 1.10, level: yes, of: [1.0, 2], in: {x: [1.0]}}\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\nallowed-tools: "1.10 b"\nmetadata: {"version": "1.10", "level": "yes", "of": "1.0, 2", "in": "{\\"x\\":[1]}"}\n---\n# A\n',
    ['allowed-tools', 'metadata'],
  ],
  [
    'numbers for keys and tags',
    '---\nname: a\ndescription: x\ntags: [1.10]\nmetadata: {1.10: [1.0], "1.2": 2.0, b: null}\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\ntags: ["1.10"]\nmetadata: {"1.10": "1.0", "1.2": "2.0", "b": ""}\n---\n# A\n',
    ['metadata'],
  ],
  [
    'only keys that are numbers',
    '---\nname: a\ndescription: x\nmetadata:\n  1.10: new\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\nmetadata: {"1.10": "new"}\n---\n# A\n',
    ['metadata'],
  ],
  [
    'keys that are one number, written in two ways',
    '---\nname: a\ndescription: x\nmetadata:\n  1.100: bee\n  "1.10": ay\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\nmetadata: {"1.100": "bee", "1.10": "ay"}\n---\n# A\n',
    ['metadata'],
  ],
  [
    'a field that is left out',
    '---\nname: a\ndescription: x\nmetadata: {"b": [}\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\n---\n# A\n',
    ['metadata'],
  ],
  [
    'a value that holds itself',
    '---\nname: a\ndescription: x\nmetadata: &m\n  b: *m\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\n---\n# A\n',
    ['metadata'],
  ],
  [
    'a list for a description, and no paragraph',
    '---\nname: a\ndescription: [x]\n---\n# A\n',
    '---\nname: "a"\ndescription: "A"\n---\n# A\n',
    ['description'],
  ],
  [
    'a signature line before it',
    '<!-- rye:signed:x -->\n---\nname: a\ndescription: x\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\n---\n# A\n',
    [],
  ],
  [
    'no end, and a rule in the text',
    '---\nname: a\ndescription: x\n\n# A\n\nText\n\n---\n## B\n',
    '---\nname: "a"\ndescription: "x"\n---\n# A\n\nText\n\n---\n## B\n',
    [],
  ],
])('front matter with %s is printed anew, and says what differs', async (_, text, printed, fields) => {
  expect(await adapt(text)).toEqual([printed, fields])
})

it.each([
  ['is plain', '---\nname: a\ndescription: x\n---\n# A\n', 'x', undefined],
  ['is indented', '---\n  name: a\n  description: x\n---\n# A\n', 'x', undefined],
  ['says nothing in many blanks', '---\nname: a\ndescription: "   "\n---\n# A\n', 'A', ['description']],
  [
    'has more fields than are read here',
    `---\nname: a\ndescription: x\n${Array.from({ length: 600 }, (_, at) => `k${at}: ${'v'.repeat(500)}`).join('\n')}\n---\n`,
    'x',
    expect.arrayContaining(['k500']),
  ],
])('a skill that %s is served as it is read here', async (_, text, description, adapted) => {
  const served = await serveSkill('a', new Map([['SKILL.md', Buffer.from(text)]]))
  expect(served.entry.frontmatter.description).toBe(description)
  expect(served.adapted).toEqual(adapted)
})
