import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import { planSync } from '../../../src/skills/table/sync-plan.ts'
import { buildRows, type ToolRow } from '../../../src/skills/table/tool-row.ts'
import { makeFolder, scanLibrary } from '../library.ts'

function row(id: string, digest: string): ToolRow {
  const text = { content: '', tool_name: id, skill_name: '', category: '', file_path: '', name_words: '' }
  return { ...text, id, intents: '', routing_keywords: '', metadata: '{}', digest }
}

describe('rows', () => {
  it('carry every key of the table as JSON', async () => {
    const rows = buildRows((await scanLibrary()).skills)
    const commit = rows.find(one => one.id === 'git.smart_commit')!
    expect(Object.keys(JSON.parse(commit.metadata))).toEqual([
      'type',
      'skill_name',
      'tool_name',
      'command',
      'file_path',
      'function_name',
      'intents',
      'routing_keywords',
      'file_hash',
      'input_schema',
      'docstring',
      'category',
      'annotations',
      'parameters',
      'skill_tools_refers',
    ])
    expect(JSON.parse(commit.metadata)).toMatchObject({
      type: 'command',
      command: 'smart_commit',
      routing_keywords: ['git', 'commit'],
      skill_tools_refers: ['smart_commit', 'run_research_graph'],
    })
    expect(commit.name_words).toBe('git smart commit')
    const ids = rows.map(one => one.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of two skills of one name have ids of their own', async () => {
    const files = { 'SKILL.md': '---\nname: s\n---\n', 'scripts/a.py': '@skill_command\ndef t(): pass\n' }
    const { skills } = await scanSkills([makeFolder('s', files, 'x/s'), makeFolder('s', files, 'y/s')])
    expect(buildRows(skills).map(one => one.id)).toEqual(['s.t', 's.t@y/s'])
  })

  it('change when SKILL.md or a reference changes, not only the script', async () => {
    const files = { 'SKILL.md': '---\nname: s\n---\n', 'scripts/a.py': '@skill_command\ndef t(): pass\n' }
    const digestOf = async (more: Record<string, string>) =>
      buildRows((await scanSkills([makeFolder('s', { ...files, ...more })])).skills)[0]!.digest
    const plain = await digestOf({})
    expect(await digestOf({})).toBe(plain)
    expect(await digestOf({ 'SKILL.md': '---\nname: s\nintents: [go]\n---\n' })).not.toBe(plain)
    expect(await digestOf({ 'references/r.md': '---\nfor_tools: s.t\n---\n' })).not.toBe(plain)
  })
})

describe('a sync', () => {
  it('tells added, updated, deleted and unchanged apart', () => {
    const plan = planSync(
      [row('a', '1'), row('b', '2'), row('c', '3')],
      [row('b', '2'), row('c', '0'), row('d', '4')],
    )
    expect(plan.report).toEqual({ added: ['a'], updated: ['c'], deleted: ['d'], unchanged_count: 1 })
    expect(plan.upserts.map(one => one.id)).toEqual(['a', 'c'])
    expect(plan.removals).toEqual(['d'])
  })

  it('writes a row anew that is there twice', () => {
    const plan = planSync([row('a', '1')], [row('a', '1'), row('a', '1')])
    expect(plan.report).toEqual({ added: [], updated: ['a'], deleted: [], unchanged_count: 0 })
    expect(plan.removals).toEqual(['a'])
  })

  it('applied to what is stored gives what is wanted, whatever was stored', () => {
    const rows = fc.array(
      fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), digest: fc.constantFrom('1', '2') }),
    )
    const unique = fc.uniqueArray(
      fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), digest: fc.constantFrom('1', '2') }),
      {
        selector: one => one.id,
      },
    )
    fc.assert(
      fc.property(unique, rows, (wanted, stored) => {
        const plan = planSync(
          wanted.map(one => row(one.id, one.digest)),
          stored,
        )
        const left = stored.filter(one => !plan.removals.includes(one.id))
        const written = new Map(plan.upserts.map(one => [one.id, one.digest]))
        const result = [
          ...left.filter(one => !written.has(one.id)),
          ...[...written].map(([id, digest]) => ({ id, digest })),
        ]
        expect(result.map(one => `${one.id}${one.digest}`).sort()).toEqual(
          wanted.map(one => `${one.id}${one.digest}`).sort(),
        )
      }),
    )
  })
})
