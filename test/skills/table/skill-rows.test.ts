import { describe, expect, it } from 'vitest'
import { readSkill } from '../../../src/skills/read/read-skill.ts'
import { collectRows } from '../../../src/skills/table/collect-rows.ts'
import { buildSkillRows, unspacedText } from '../../../src/skills/table/skill-rows.ts'
import { foldersIn, LIBRARY, LIBRARY_ROWS, makeFolder } from '../library.ts'

const SEAL = { digest: `sha256:${'a'.repeat(64)}`, trust: { status: 'verified', signer: 'f'.repeat(16) } }
const FILES = { 'SKILL.md': '---\nname: s\n---\n', 'scripts/a.py': '@skill_command\ndef t(): pass\n' }

async function rowsOf(files: Record<string, string>, itemId = 's', seal = SEAL) {
  return buildSkillRows(
    { skill: await readSkill(makeFolder('s', files)), itemId, root: 'skills', seal },
    () => ['guide'],
  )
}

describe('rows', () => {
  it('are there for every skill and for every function of the library, each under an id of its own', async () => {
    const { wanted } = await collectRows(foldersIn(LIBRARY))
    expect([...wanted().keys()].sort()).toEqual(LIBRARY_ROWS)
  })

  it('carry every key of the table as JSON, and the state of the folder', async () => {
    const [skill, tool] = await rowsOf({
      ...FILES,
      'SKILL.md':
        '---\nname: s\ndescription: Does it\nmetadata:\n  category: files\n  routing_keywords: [go]\n---\n',
    })
    const keys = [
      'digest',
      'trust',
      'type',
      'kind',
      'item_id',
      'skill_name',
      'tool_name',
      'command',
      'file_path',
      'root',
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
    ]
    for (const row of [skill, tool]) expect(Object.keys(JSON.parse(row!.metadata))).toEqual(keys)
    expect(skill).toMatchObject({ id: 's', type: 'skill', content: 'Does it', category: 'files' })
    expect(JSON.parse(skill!.metadata)).toMatchObject({
      ...SEAL,
      type: 'skill',
      kind: 'skill',
      file_path: 's/SKILL.md',
    })
    expect(tool).toMatchObject({ id: 's.t', type: 'command', tool_name: 's.t', name_words: 's t' })
    expect(JSON.parse(tool!.metadata)).toMatchObject({
      ...SEAL,
      type: 'command',
      kind: 'command',
      command: 't',
      routing_keywords: ['go'],
      skill_tools_refers: ['guide'],
    })
  })

  it('have the ids that `execute` takes: of the item, with what tells functions of one name apart', async () => {
    const script = '@skill_command\ndef t(): pass\n@skill_resource(name="t")\ndef u(): pass\n'
    const rows = await rowsOf({ ...FILES, 'scripts/a.py': script }, 'team/s')
    expect(rows.map(row => row.id)).toEqual(['team/s', 'team/s.t', 'team/s.t#resource'])
    expect(rows.map(row => JSON.parse(row.metadata).kind)).toEqual(['skill', 'command', 'resource'])
    expect(rows.map(row => row.type)).toEqual(['skill', 'command', 'command'])
  })

  it('change when SKILL.md, the folder or the verdict on it does, not only the script', async () => {
    const digest = async (...given: Parameters<typeof rowsOf>) => (await rowsOf(...given))[1]!.digest
    const plain = await digest(FILES)
    expect(await digest(FILES)).toBe(plain)
    expect(await digest({ ...FILES, 'SKILL.md': '---\nname: s\nintents: [go]\n---\n' })).not.toBe(plain)
    expect(await digest(FILES, 's', { ...SEAL, digest: 'sha256:b' })).not.toBe(plain)
    expect(await digest(FILES, 's', { ...SEAL, trust: { status: 'tampered', signer: '' } })).not.toBe(plain)
  })

  it('keep what is written without spaces apart', () => {
    expect(unspacedText('PDF を結合する, then split')).toBe('を結合する')
    expect(unspacedText('плоский текст')).toBe('')
  })
})
