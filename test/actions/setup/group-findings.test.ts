// Many items with the same fault are one line, and its command signs those items and nothing worse.
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

  const ofStranger = (ref: string, changes: Partial<Finding> = {}): Finding => {
    const [type, id] = ref.split(':') as [Finding['type'], string]
    return unsigned(id, {
      ...{ name: 'untrusted', type, stranger: 'f00d', reason: 'key f00d is not trusted' },
      ...{ fix: `rye sign ${ref} --take-over`, signFlags: ' --take-over' },
      ...changes,
    })
  }

  it('that one key would settle are one line, wherever they lie', () => {
    const fix = 'rye keys trust key.toml'
    const offered = ['tool:a/b', 'knowledge:c/d', 'tool:e'].map(ref => {
      const { signFlags: _, ...one } = ofStranger(ref, { fix })
      return one
    })
    expect(groupFindings(offered)).toMatchObject([
      {
        fix,
        message:
          '3 items: key f00d is not trusted: tool:a/b@project, knowledge:c/d@project, tool:e@project; read what it signed, first `rye show tool:a/b@project --content`, and if you know the signer:',
      },
    ])
    expect(groupFindings(offered.slice(0, 1))).toMatchObject([
      {
        fix,
        message:
          'tool:a/b@project: key f00d is not trusted; read it with `rye show tool:a/b@project --content`, and if you know the signer:',
      },
    ])
  })

  it('of a stranger are one line, whatever their types and folders', () => {
    const theirs = ['tool:a/b', 'knowledge:c/d', 'tool:e', 'directive:f'].map(ref => ofStranger(ref))
    expect(groupFindings(theirs)).toEqual([
      {
        name: 'untrusted',
        status: 'problem',
        message:
          '4 items (project): key f00d is not trusted: tool:a/b@project, knowledge:c/d@project, tool:e@project and 1 more; if you know the signer, ask for its key and use `rye keys trust FILE`; else read what you sign, first `rye show tool:a/b@project --content`, then:',
        fix: "rye sign '*' --take-over",
      },
    ])
    const inFolders = ['tool:x/a/b', 'tool:x/c/d'].map(ref => ofStranger(ref))
    expect(groupFindings(inFolders)).toMatchObject([{ fix: "rye sign 'tool:x/**' --take-over" }])
    const two = [...theirs, ofStranger('tool:g/h', { stranger: 'beef' })]
    expect(groupFindings(two).map(({ fix }) => fix)).toEqual([
      'rye sign tool:a/b --take-over',
      'rye sign tool:g/h --take-over',
    ])
  })

  it('of a stranger are signed one by one where a pattern would replace what a friend signed', () => {
    const theirs = ['tool:a/b', 'tool:a/c'].map(ref => ofStranger(ref))
    const friend = { name: 'verified', type: 'tool', id: 'a/d', space: 'project' } as const
    const [check] = groupFindings(theirs, [friend])
    expect(check).toMatchObject({ fix: 'rye sign tool:a/b --take-over' })
    expect(check!.message).toContain('would also sign tool:a/d@project, which is verified, so one by one:')
    expect(groupFindings(theirs, [{ ...friend, space: 'user' }])[0]!.fix).toBe(
      "rye sign 'tool:a/**' --take-over",
    )
    expect(groupFindings(many('a', 2), [friend])[0]!.fix).toBe("rye sign 'tool:a/*'")
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
