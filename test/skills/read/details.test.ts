// The details from which records of a skill and of a knowledge document are made, pinned as literals.
import { describe, expect, it } from 'vitest'
import { readKnowledge } from '../../../src/skills/read/documents/read-knowledge.ts'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import { makeFolder } from '../library.ts'

describe('details of a skill', () => {
  it('have numbers as they are spelled, in a block, in brackets and in lists', async () => {
    const { skills } = await scanSkills(
      ['metadata:\n  version: 1.10\n  intents:\n    - 1.0', 'metadata: {version: 1.10, intents: [1.0]}'].map(
        (block, index) =>
          makeFolder(`s${index}`, {
            'SKILL.md': `---\nname: s${index}\ndescription: Does\n${block}\n---\n`,
            'references/a.md': '---\nrouting_keywords: [0x10, 2.50, yes]\ntitle: 3.0\n---\n',
          }),
      ),
    )
    for (const { details, payload } of skills) {
      expect(details.manifest).toMatchObject({ version: '1.10', intents: ['1.0'] })
      expect(Object.values(payload.references)).toMatchObject([
        { title: '3.0', keywords: ['0x10', '2.50', 'yes'] },
      ])
    }
    expect(skills).toHaveLength(2)
  })

  it('are its manifest, its layout, its decorators and its parameters', async () => {
    const { skills } = await scanSkills([
      makeFolder('s', {
        'SKILL.md': '---\nname: s\ndescription: Does\nmetadata:\n  version: 1.0.0\n  intents: [go]\n---\n',
        'README.md': '',
        'scripts/a.py':
          '@skill_command(name="t", read_only=True)\ndef f(a: int, *rest, b: str | None = None, c=[1, 2]): pass\n',
      }),
    ])
    const { structure, ...rest } = skills[0]!.details
    expect(rest).toEqual({
      skill_name: 's',
      path: 's',
      manifest: {
        skill_name: 's',
        version: '1.0.0',
        description: 'Does',
        routing_keywords: [],
        authors: [],
        intents: ['go'],
      },
      tools: {
        's.t': {
          decorator: { name: 't', description: null, category: null, destructive: null, read_only: true },
          parameters: [
            { name: 'a', type_annotation: 'int', has_default: false, default_value: null },
            { name: 'rest', type_annotation: null, has_default: false, default_value: null },
            { name: 'b', type_annotation: 'str | None', has_default: true, default_value: 'None' },
            { name: 'c', type_annotation: null, has_default: true, default_value: '[1, 2]' },
          ],
        },
      },
    })
    const paths = (items: readonly { path: string }[]) => items.map(({ path }) => path)
    expect(paths(structure.required)).toEqual(['SKILL.md'])
    expect(paths(structure.default)).toEqual(['scripts/'])
    expect(paths(structure.optional)).toEqual(['README.md'])
    expect(structure.optional[0]).toEqual({
      path: 'README.md',
      description: 'notes for people',
      item_type: 'file',
    })
  })

  it('keep every key of a reference', async () => {
    const { skills } = await scanSkills([
      makeFolder('s', {
        'SKILL.md': '---\nname: s\ndescription: Does\n---\n',
        'references/r.md':
          '---\ntitle: R\nauthor: Ada\nmetadata:\n  description: About it\n  level: 3\n  title: S\n---\n',
        'references/bare.md': '# Bare\n',
      }),
    ])
    const { r, bare } = skills[0]!.payload.references
    expect(r).toMatchObject({ description: 'About it', metadata: { author: 'Ada', level: 3 } })
    expect(bare).not.toHaveProperty('description')
    expect(bare).not.toHaveProperty('metadata')
  })
})

it('details of a document are its front matter and what was made of it', async () => {
  const text = '---\ntitle: T\ncategory: notes\ntags: [a]\nsource: web\nextra: 1\n---\nText\n'
  const { details } = await readKnowledge('x/t.md', new TextEncoder().encode(text))
  expect(details).toEqual({
    file_path: 'x/t.md',
    frontmatter: {
      title: 'T',
      description: null,
      category: 'notes',
      tags: ['a'],
      metadata: { source: 'web', extra: 1 },
    },
    metadata: {
      title: 'T',
      description: null,
      category: 'note',
      tags: ['a'],
      authors: [],
      source: 'web',
      version: null,
    },
  })
})
