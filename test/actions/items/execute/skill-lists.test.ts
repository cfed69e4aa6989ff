// A skill with many files: `execute` lists some of them, counts the others, and says where all names are.
import { describe, expect, it } from 'vitest'
import { shortenLists } from '../../../../src/actions/items/execute/skill-lists.ts'
import { scratch } from '../../../workspace/scratch.ts'

const fileOf = (path: string) => ({
  item_id: `skill:kit/${path}`,
  path,
  size: 1,
  kind: 'text' as const,
  program: path.endsWith('.py'),
})
const referenceOf = (path: string) => ({ item_id: `skill:kit/${path}`, ref_name: path, title: path, path })
const toolOf = (name: string) => ({
  item_id: `kit.${name}`,
  description: name,
  input_schema: {},
  annotations: { read_only: false, destructive: false, idempotent: false, open_world: false },
})
const REQUEST = { name: 'skill:kit', content: '', caller: 'agent' } as const
const many = (amount: number, nameOf: (index: number) => string) =>
  Array.from({ length: amount }, (_, index) => nameOf(100 + index))

describe('the lists of a skill', () => {
  it('are whole, without a word about it, up to 100 entries', () => {
    const files = many(100, index => `${index}.md`)
    const lists = { tools: files.map(toolOf), files: files.map(fileOf), references: files.map(referenceOf) }
    expect(shortenLists(REQUEST, lists)).toEqual(lists)
  })

  it('have 100 entries at most, in their order, and count the rest', () => {
    const names = many(180, index => `${index}.md`)
    const answer = shortenLists(REQUEST, {
      tools: [],
      files: names.map(fileOf),
      references: names.map(referenceOf),
    })
    expect(answer.references.map(({ path }) => path)).toEqual(names.slice(0, 100))
    expect(answer.files.map(({ path }) => path)).toEqual(names.slice(100))
    expect(answer.left_out).toEqual({ tools: 0, references: 80, files: 100 })
    expect(answer.hint).toBe(
      '180 files are too many to list here: `load` with `{"item_id":"skill:kit","view":"summary"}` names them all, and `skill:kit/PATH` is one of them',
    )
  })

  it('keep programs, and do not repeat what the text links to', () => {
    const names = [...many(103, index => `${index}.md`), 'scripts/run.py']
    const content =
      '[one](skill:kit/100.md), <skill:kit/101.md#usage>, skill:kit/102.mdx, skill:kit/scripts/run.py'
    const answer = shortenLists(
      { ...REQUEST, content },
      { tools: [], files: names.map(fileOf), references: [] },
    )
    expect(answer.files.map(({ path }) => path)).toEqual([...names.slice(2, 101), 'scripts/run.py'])
    expect(answer.left_out).toEqual({ tools: 0, references: 0, files: 4 })
  })

  it('reads a hostile text in one pass', () => {
    const content = 'skill:'.repeat(200_000)
    const files = many(130, index => `${index}.md`).map(fileOf)
    expect(shortenLists({ ...REQUEST, content }, { tools: [], files, references: [] }).files).toHaveLength(
      100,
    )
  })

  it('have the first hundred functions of a module that has more', async () => {
    const functions = many(
      120,
      index => `@skill_command(name="f${index}")\ndef f${index}():\n    return ${index}\n`,
    )
    const made = await scratch({
      '.claude/skills/kit/SKILL.md':
        '---\nname: kit\ndescription: Many functions. Use it in tests.\n---\n\nText.\n',
      '.claude/skills/kit/scripts/all.py': functions.join('\n'),
    })
    await made.sign('skill:kit')
    const answer = await made.run('execute', { item_id: 'skill:kit' })
    expect(answer.tools).toHaveLength(100)
    expect(answer.tools[0]).toMatchObject({ item_id: 'kit.f100' })
    expect(answer.left_out).toEqual({ tools: 20, references: 0, files: 0 })
    expect(answer.hint).toBe(
      '120 functions are too many to list here: the scripts among its files define the others, and `load` shows a script',
    )
    expect(await made.run('execute', { item_id: 'kit.f219', dry_run: true })).toMatchObject({
      status: 'validation_passed',
    })
  })

  it('lead to every file of the folder', async () => {
    const names = many(160, index => `references/topic-${index}.md`)
    const links = names.map(name => `- [more](${name})`).join('\n')
    const files = {
      'SKILL.md': `---\nname: kit\ndescription: Many files. Use it in tests.\n---\n\n${links}\n`,
      ...Object.fromEntries(names.map(name => [name, `# About ${name}\n`])),
      ...Object.fromEntries(many(20, index => `assets/${index}.txt`).map(name => [name, 'x\n'])),
    }
    const made = await scratch(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.claude/skills/kit/${path}`, text])),
    )
    await made.sign('skill:kit')
    const answer = await made.run('execute', { item_id: 'skill:kit' })
    expect(answer.files).toHaveLength(21)
    expect(answer.left_out).toEqual({ tools: 0, references: 60, files: 160 })
    expect(Buffer.byteLength(JSON.stringify([answer.files, answer.references]))).toBeLessThan(20_000)
    const whole = await made.run('load', { item_id: 'skill:kit', view: 'summary' })
    expect(whole.files).toEqual(Object.keys(files).sort())
    expect(answer.content).toContain('skill:kit/references/topic-259.md')
  })
})
