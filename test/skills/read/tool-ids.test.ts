import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import type { DeclaredTool } from '../../../src/skills/read/tools/read-tools.ts'
import { toolIds, toolItemIds } from '../../../src/skills/read/unique-keys.ts'
import { makeFolder } from '../library.ts'

interface Told {
  readonly kind: 'command' | 'resource'
  readonly name: string
  readonly function: string
  readonly file: string
}

function skillOf(told: readonly Told[], path = 's') {
  const tools = told.map(
    one =>
      ({
        kind: one.kind,
        record: {
          skill_name: 's',
          tool_name: `s.${one.name}`,
          function_name: one.function,
          file_path: `${path}/scripts/${one.file}.py`,
        },
        place: { line: 1, column: 1 },
      }) as unknown as DeclaredTool,
  )
  return { name: 's', path, tools }
}

const idsOf = (told: readonly Told[], path?: string) => [...toolIds(skillOf(told, path)).values()]

const command = (name: string, functionName: string, file = 'a'): Told => ({
  kind: 'command',
  name,
  function: functionName,
  file,
})

describe('ids of tools', () => {
  it('are told apart by their files, also where these are written alike', () => {
    const ids = idsOf([command('same', 'same', 'a/b'), command('same', 'same', 'a-b')])
    for (const id of ids) expect(id).toMatch(/^s\.same#a-b-same-[0-9a-f]{8}$/)
    expect(new Set(ids).size).toBe(2)
    expect(idsOf([command('same', 'same', 'a/b'), command('same', 'same', 'c/b')])).toEqual([
      's.same#a-b-same',
      's.same#c-b-same',
    ])
  })

  it('are those of functions also where one is called `resource`', () => {
    const resource = { ...command('run', 'read'), kind: 'resource' } as const
    const ids = idsOf([command('run', 'resource'), command('run', 'other'), resource])
    expect(new Set(ids).size).toBe(3)
    expect(ids[1]).toBe('s.run#other')
  })

  it('can be called, whatever the name', () => {
    expect(idsOf([command('two words', 'go'), command('two-words', 'stop'), command('', 'none')])).toEqual([
      's.two-words#go',
      's.two-words',
      's.none#none',
    ])
  })

  it('do not mean a skill, or what another skill has', () => {
    const skill = skillOf([command('commit', 'go'), command('log.all', 'all'), command('push', 'push')])
    const isSkill = (id: string) => ['team/s.commit', 'team/s.log', 's.push'].includes(id)
    expect([...toolItemIds({ skill, itemId: 'team/s', isSkill }).values()]).toEqual([
      'team/s.commit#go',
      'team/s.log.all#all',
      'team/s.push',
    ])
  })

  it('are unique, and depend neither on the order, nor on the folder, nor on tools of other names', () => {
    const word = fc.constantFrom('a', 'b', 'a-b', 'resource', 'a b', 'ü', '#a', 'a.b', '')
    const told = fc.record({
      kind: fc.constantFrom<Told['kind'][]>('command', 'resource'),
      name: word,
      function: fc.constantFrom('a', 'b', 'resource', 'ä', 'ö'),
      file: fc.constantFrom('a', 'a/b', 'a-b', 'a.b', 'scripts/a'),
    })
    // One function of a file, declared twice, is told apart by its place.
    const set = fc.uniqueArray(told, { maxLength: 12, selector: one => JSON.stringify(Object.values(one)) })
    fc.assert(
      fc.property(set, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (tools, weights) => {
        const ids = idsOf(tools)
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(id).toMatch(/^s\.[\w.-]+(?:#[\w-]+)?$/)
        expect(idsOf(tools, 'my-scripts/scripts/s')).toEqual(ids)
        const order = tools.map((_, index) => index).sort((a, b) => weights[a]! - weights[b]!)
        const twice = tools.filter(
          one =>
            tools.filter(
              two => two.file === one.file && two.function === one.function && two.name === one.name,
            ).length > 1,
        )
        if (twice.length === 0)
          expect(idsOf(order.map(index => tools[index]!))).toEqual(order.map(index => ids[index]))
        expect(idsOf([...tools, command('other', 'other', 'z')]).slice(0, -1)).toEqual(ids)
      }),
    )
  })
})

describe('documents of skills of one name', () => {
  const files = {
    'SKILL.md': '---\nname: pdf\ndescription: x\n---\n',
    'scripts/t.py': '@skill_command\ndef t(): pass\n',
    'references/r.md': '---\nfor_tools: [pdf.t]\n---\n# R\n',
  }

  it('describe the tools of their own skill', async () => {
    const paths = ['a/pdf', 'b/pdf', 'c/pdf']
    const { skills } = await scanSkills(paths.map(path => makeFolder('pdf', files, path)))
    const described = skills.map(({ payload }) => payload.skill_tools['pdf.t']!.skill_tool_references)
    expect(described).toEqual(paths.map(path => ({ 'pdf.references.r': `${path}/references/r.md` })))
    const own = skills.map(({ payload }) => Object.values(payload.references).map(one => one.file_path))
    expect(own).toEqual(paths.map(path => [`${path}/references/r.md`]))
  })

  it('are all kept where they describe the tool of another skill', async () => {
    const document = { 'SKILL.md': files['SKILL.md'], 'references/r.md': '---\nfor_tools: [s.t]\n---\n# R\n' }
    const { skills } = await scanSkills([
      makeFolder('s', { ...files, 'SKILL.md': '---\nname: s\n---\n', 'references/r.md': '# R\n' }),
      makeFolder('pdf', document, 'a/pdf'),
      makeFolder('pdf', document, 'b/pdf'),
    ])
    const { payload } = skills.find(one => one.payload.skill_name === 's')!
    expect(payload.skill_tools['s.t']!.skill_tool_references).toEqual({
      'pdf.references.r': 'a/pdf/references/r.md',
      'b/pdf.references.r': 'b/pdf/references/r.md',
    })
    expect(Object.keys(payload.references)).toEqual(['b/pdf.references.r', 'pdf.references.r', 'r'])
  })
})

it('a tool whose id is that of a skill is reported, and has another', async () => {
  const scan = await scanSkills([
    makeFolder('git', {
      'SKILL.md': '---\nname: git\ndescription: x\n---\n',
      'scripts/t.py': '@skill_command(name="commit")\ndef go(): pass\n',
    }),
    makeFolder('git.commit', { 'SKILL.md': '---\nname: git.commit\ndescription: x\n---\n' }),
  ])
  expect(Object.keys(scan.skills[0]!.payload.skill_tools)).toEqual(['git.commit#go'])
  expect(scan.skills[0]!.entry.tools[0]!.name).toBe('git.commit#go')
  expect(scan.diagnostics.filter(({ code }) => code === 'tool-collision')).toMatchObject([
    { path: 'git/scripts/t.py', message: expect.stringContaining('has `#go` after it') },
  ])
})
