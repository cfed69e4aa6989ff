// Many items with one fault are one line, and the command on it signs those items and nothing that is worse.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Finding, groupFindings } from '../../../src/actions/setup/doctor/group-findings.ts'
import { matchesGlob } from '../../../src/item/index.ts'

function unsigned(id: string, changes: Partial<Finding> = {}): Finding {
  return {
    ...{ name: 'unsigned', status: 'problem', type: 'tool', id, space: 'project' },
    reason: 'no signature line',
    fix: `rye sign tool:${id}`,
    signFlags: '',
    ...changes,
  }
}

const many = (folder: string, amount: number) =>
  Array.from({ length: amount }, (_, at) => unsigned(`${folder}/t${at}`))

describe('findings of the doctor', () => {
  it('are one line for a folder, which is to be read first', () => {
    expect(groupFindings(many('x', 300))).toEqual([
      {
        name: 'unsigned',
        status: 'problem',
        message:
          '300 tools in x (project): no signature line: x/t0, x/t1, x/t2 and 297 more; read what you sign, first `rye show tool:x/t0@project --content`, then:',
        fix: "rye sign 'tool:x/*'",
      },
    ])
    expect(groupFindings([unsigned('a')])).toEqual([
      {
        name: 'unsigned',
        status: 'problem',
        message: 'tool:a@project: no signature line; read it with `rye show tool:a@project --content`, then:',
        fix: 'rye sign tool:a',
      },
    ])
  })

  it('of many folders are counted with the folders above them', () => {
    const folders = Array.from({ length: 9 }, (_, at) => many(`top/f${at}`, 2)).flat()
    expect(groupFindings(folders).map(check => check.fix)).toEqual(["rye sign 'tool:top/**'"])
    const tops = Array.from({ length: 9 }, (_, at) => many(`f${at}`, 2)).flat()
    expect(groupFindings(tops).map(check => check.fix)).toEqual(["rye sign 'tool:*'"])
  })

  it('that one key would settle are one line, wherever they lie', () => {
    const fix = 'rye keys trust key.toml'
    const foreign = ['a/b', 'c/d', 'e'].map(id => ({
      ...({ name: 'untrusted', status: 'problem', type: 'tool', id, space: 'project' } as const),
      reason: 'signed by a stranger',
      fix,
    }))
    expect(groupFindings(foreign)).toMatchObject([
      { fix, message: '3 items: signed by a stranger: tool:a/b@project, tool:c/d@project, tool:e@project' },
    ])
  })

  it('are signed one by one where a pattern would take a changed item along', () => {
    const changed = unsigned('x/mine', { name: 'tampered', fix: 'rye sign tool:x/mine' })
    const [group, single] = groupFindings([...many('x', 3), changed])
    expect(group).toMatchObject({ fix: 'rye sign tool:x/t0' })
    expect(group!.message).toContain('would also sign tool:x/mine@project, which is tampered')
    expect(single).toMatchObject({ name: 'tampered', fix: 'rye sign tool:x/mine' })
  })

  it('are few lines, count every item, and no pattern reaches an item of another status', () => {
    const segment = fc.constantFrom('a', 'b', 'c', 'd')
    const id = fc.array(segment, { minLength: 1, maxLength: 4 }).map(words => words.join('/'))
    const finding = fc.record({
      id,
      name: fc.constantFrom('unsigned', 'tampered'),
      type: fc.constantFrom('tool' as const, 'knowledge' as const),
      space: fc.constantFrom('project' as const, 'user' as const),
    })
    const distinct = fc.uniqueArray(finding, {
      maxLength: 200,
      selector: one => `${one.type}:${one.id}@${one.space}`,
    })
    fc.assert(
      fc.property(distinct, all => {
        const findings = all.map(one => unsigned(one.id, one))
        const checks = groupFindings(findings)
        expect(checks.length).toBeLessThanOrEqual(21)
        const counted = checks.reduce((sum, { message }) => sum + Number(/^\d+/.exec(message)?.[0] ?? 1), 0)
        expect(counted).toBe(all.length)
        for (const { fix, name, message } of checks) {
          const pattern = /^rye sign '(\w+):(.*)'/.exec(fix ?? '')
          if (!pattern) continue
          const space = /\((project|user)\)/.exec(message)![1]
          const taken = findings.filter(
            one => one.type === pattern[1] && one.space === space && matchesGlob(pattern[2]!, one.id),
          )
          expect(new Set(taken.map(one => one.name))).toEqual(new Set([name]))
        }
      }),
    )
  })
})
