import { expect, it } from 'vitest'
import { adaptFrontMatter } from '../../../src/skills/serve/adapt-front-matter.ts'

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
    'a field that is left out',
    '---\nname: a\ndescription: x\nmetadata: {"b": [}\n---\n# A\n',
    '---\nname: "a"\ndescription: "x"\n---\n# A\n',
    ['metadata'],
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
