import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { CanonicalSkillPayload } from '../../../src/skills/read/records.ts'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import { LIBRARY, LIBRARY_TOOLS, makeFolder, scanLibrary } from '../library.ts'

const EXPECTED: Record<string, CanonicalSkillPayload> = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../corpus/skills/expected.json', import.meta.url)), 'utf8'),
)

/** Schemas as objects, and every hash that is right replaced by the word that stands for it. */
function comparable(payload: CanonicalSkillPayload): unknown {
  return JSON.parse(
    JSON.stringify(payload),
    function (this: Record<string, unknown>, key: string, value: unknown) {
      if (key === 'input_schema') return JSON.parse(String(value))
      if (key !== 'file_hash') return value
      const bytes = readFileSync(`${LIBRARY}/${this.file_path}`)
      return value === createHash('sha256').update(bytes).digest('hex') ? 'sha256' : value
    },
  )
}

describe('the golden library', () => {
  it('has an expectation for each skill, written by hand', async () => {
    const { skills } = await scanLibrary()
    expect(skills.map(({ payload }) => payload.skill_name)).toEqual(Object.keys(EXPECTED))
  })

  it.each(Object.keys(EXPECTED))('%s becomes its payload', async name => {
    const { skills } = await scanLibrary()
    const found = skills.find(({ payload }) => payload.skill_name === name)!
    expect(comparable(found.payload)).toEqual(EXPECTED[name])
  })

  it('keeps every skill, whatever is wrong with one of them', async () => {
    const { skills } = await scanLibrary()
    const tools = skills.flatMap(({ payload }) => Object.keys(payload.skill_tools))
    expect(skills.map(({ payload }) => payload.skill_name)).toEqual([
      '_template',
      'broken',
      'code',
      'crawler',
      'embedding',
      'git',
      'knowledge',
      'memory',
      'omniCell',
      'researcher',
      'writer',
    ])
    expect(tools).toEqual(LIBRARY_TOOLS)
  })

  it('says what is wrong, in which file and on which line', async () => {
    const { diagnostics } = await scanLibrary()
    expect(diagnostics.map(found => `${found.path}:${found.line} ${found.code}`)).toEqual([
      '_template/SKILL.md:5 list-expected',
      'broken/SKILL.md:3 yaml-repaired',
      'broken/scripts/half.py:9 python-syntax',
      'broken/scripts/latin1.py:2 utf8-invalid',
      'code/SKILL.md:2 name-mismatch',
      'code/SKILL.md:10 reference-path',
      'code/SKILL.md:10 reference-path',
      'code/SKILL.md:10 reference-path',
      'embedding/SKILL.md:1 front-matter-missing',
      'git/extensions/sniffer/rules.toml:5 sniffer-rule',
      'knowledge/references/standards/style.md:4 field-type',
      'knowledge/scripts/graph.py:10 tool-collision',
      'knowledge/scripts/graph.py:16 tool-not-callable',
      'memory/SKILL.md:3 yaml-unquoted-colon',
      'omniCell/scripts/run.py:6 argument-not-constant',
      'researcher/references/run_research_graph.md:4 tool-unknown',
    ])
  })

  it('keeps the fields of the Agent Skills specification beside those of the scanner', async () => {
    const { skills } = await scanLibrary()
    const code = skills.find(({ payload }) => payload.skill_name === 'code')!.payload.metadata
    expect(code).toEqual({
      skill_name: 'code',
      version: '1.2.0',
      description: 'Works on code',
      routing_keywords: [],
      authors: [],
      intents: [],
      require_refs: ['references/guide.md'],
      repository: '',
      permissions: ['filesystem:read'],
      name: 'code_tools',
      license: 'MIT',
      compatibility: 'needs Python 3.11',
      allowed_tools: 'Bash(git:*) Read',
    })
  })

  it('describes each skill for the index with what was really found', async () => {
    const { skills } = await scanLibrary()
    const { entry } = skills.find(({ payload }) => payload.skill_name === 'git')!
    expect(Object.keys(entry)).toEqual([
      'name',
      'description',
      'version',
      'path',
      'tools',
      'routing_keywords',
      'intents',
      'authors',
      'docs_available',
      'oss_compliant',
      'compliance_details',
      'require_refs',
      'sniffing_rules',
      'permissions',
      'references',
    ])
    expect(entry.docs_available).toEqual({ skill_md: true, readme: true, tests: true })
    expect(entry.sniffing_rules).toEqual([{ type: 'file_exists', pattern: '.git' }])
    expect(entry.path).toBe('git')
    expect(entry.tools.map(tool => tool.name)).toEqual(['git.smart_commit', 'git.status'])
    expect(Object.keys(entry.tools[0]!)).toEqual([
      'name',
      'description',
      'category',
      'input_schema',
      'file_hash',
    ])
  })

  it('derives schemas that are valid JSON Schema and accept their own defaults', async () => {
    const { skills } = await scanLibrary()
    const ajv = new Ajv2020({ strict: false })
    for (const { payload } of skills) {
      for (const { tool } of Object.values(payload.skill_tools)) {
        const schema = JSON.parse(tool.input_schema)
        expect(ajv.validateSchema(schema), tool.tool_name).toBe(true)
        const required = Object.fromEntries((schema.required ?? []).map((name: string) => [name, undefined]))
        const defaults: Record<string, unknown> = {}
        for (const [name, property] of Object.entries<{ default?: unknown }>(schema.properties)) {
          if ('default' in property) defaults[name] = property.default
        }
        const check = ajv.compile({ ...schema, required: undefined })
        expect(check({ ...required, ...defaults }), JSON.stringify(check.errors)).toBe(true)
      }
    }
  })
})

describe('a scan', () => {
  it('does not depend on the order of the folders', async () => {
    const folders = [
      makeFolder('b', { 'SKILL.md': '---\nname: b\n---\n', 'references/x.md': '---\nfor_tools: a.t\n---\n' }),
      makeFolder('a', {
        'SKILL.md': '---\nname: a\n---\n',
        'scripts/t.py': '@skill_command\ndef t(): pass\n',
      }),
    ]
    const forward = await scanSkills(folders)
    const backward = await scanSkills([...folders].reverse())
    expect(JSON.stringify(backward)).toBe(JSON.stringify(forward))
    expect(forward.skills[0]!.payload.skill_tools['a.t']!.skill_tool_references).toEqual({
      'b.references.x': 'b/references/x.md',
    })
  })

  it('keeps two skills of one name apart and reports them', async () => {
    const script = '@skill_command\ndef run(): pass\n'
    const files = { 'SKILL.md': '---\nname: same\ndescription: x\n---\n', 'scripts/a.py': script }
    const scan = await scanSkills([makeFolder('same', files, 'x/same'), makeFolder('same', files, 'y/same')])
    expect(scan.skills.map(({ payload }) => payload.skill_md_path)).toEqual([
      'x/same/SKILL.md',
      'y/same/SKILL.md',
    ])
    expect(scan.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      'y/same/SKILL.md skill-collision',
    ])
  })

  it('keeps two commands of one name apart and reports the second', async () => {
    const script = '@skill_command(name="x")\ndef one(): pass\n\n@skill_command(name="x")\ndef two(): pass\n'
    const scan = await scanSkills([
      makeFolder('s', { 'SKILL.md': '---\nname: s\ndescription: x\n---\n', 'scripts/a.py': script }),
    ])
    const entries = Object.entries(scan.skills[0]!.payload.skill_tools)
    expect(entries.map(([key, { tool }]) => `${key} ${tool.function_name}`)).toEqual([
      's.x#one one',
      's.x#two two',
    ])
    expect(scan.diagnostics.map(found => `${found.line} ${found.code}`)).toEqual(['5 tool-collision'])
  })

  it('gives tools ids that do not move when a file is renamed', async () => {
    const script = (name: string) => `@skill_command(name="x")\ndef ${name}(): pass\n`
    const idsOf = async (first: string) => {
      const files = { [`scripts/${first}`]: script('one'), 'scripts/m.py': script('two') }
      const scan = await scanSkills([makeFolder('s', { 'SKILL.md': '---\nname: s\n---\n', ...files })])
      return Object.fromEntries(
        Object.entries(scan.skills[0]!.payload.skill_tools).map(([id, { tool }]) => [tool.function_name, id]),
      )
    }
    expect(await idsOf('a.py')).toEqual({ one: 's.x#one', two: 's.x#two' })
    expect(await idsOf('z.py')).toEqual(await idsOf('a.py'))
  })

  it('keeps two references of one name apart and reports the nested one', async () => {
    const files = {
      'SKILL.md': '---\nname: s\ndescription: x\n---\n',
      'references/a/x.md': '# Inner',
      'references/b/x.md': '# Other',
      'references/x.md': '# Outer',
    }
    const scan = await scanSkills([makeFolder('s', files)])
    const titles = Object.entries(scan.skills[0]!.payload.references).map(
      ([key, one]) => `${key} ${one.title}`,
    )
    expect(titles).toEqual(['a/x Inner', 'b/x Other', 'x Outer'])
    expect(scan.diagnostics.map(found => `${found.path} ${found.code}`)).toEqual([
      's/references/a/x.md reference-collision',
    ])
    // The message says what the records have.
    expect(scan.skills[0]!.payload.references['a/x']!.ref_name).toBe('x')
    expect(scan.diagnostics[0]!.message).toBe(
      '`references/x.md` also has the `ref_name` `x`; this document keeps it, but a scan lists it as `a/x`, and 1 more as well',
    )
  })

  it('takes copies of a skill without tools for no collision', async () => {
    const files = { 'SKILL.md': '---\nname: same\ndescription: x\n---\n' }
    const scan = await scanSkills([makeFolder('same', files, 'x/same'), makeFolder('same', files, 'y/same')])
    expect(scan.diagnostics).toEqual([])
  })

  it.each(['skill.md', 'Skill.md', 'SKILL.MD'])('reads `%s`, and names the usual spelling', async main => {
    const scan = await scanSkills([makeFolder('s', { [main]: '---\nname: s\ndescription: x\n---\n' })])
    expect(scan.skills[0]!.payload.skill_md_path).toBe(`s/${main}`)
    expect(scan.diagnostics).toMatchObject([{ path: `s/${main}`, code: 'skill-md-case' }])
    expect(scan.diagnostics[0]!.message).toContain('expected the name `SKILL.md`')
  })

  it('takes `SKILL.md` before names that differ in case, and names these', async () => {
    const text = (about: string) => `---\nname: s\ndescription: ${about}\n---\n`
    const files = { 'Skill.md': text('b'), 'skill.md': text('c'), 'SKILL.md': text('a') }
    const scan = await scanSkills([makeFolder('s', files)])
    expect(scan.skills[0]!.payload.metadata.description).toBe('a')
    expect(scan.diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual([
      's/Skill.md skill-md-twice',
      's/skill.md skill-md-twice',
    ])
  })

  it('names once what lies below and looks like skills of its own', async () => {
    const inner = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [`examples/e${index}/SKILL.md`, 'x']),
    )
    const files = { 'SKILL.md': '---\nname: s\ndescription: x\n---\n', 'assets/t/skill.md': 'x', ...inner }
    const { diagnostics } = await scanSkills([makeFolder('s', files)])
    expect(diagnostics).toMatchObject([{ path: 's/assets/t/skill.md', code: 'skill-nested' }])
    expect(diagnostics[0]!.message).toMatch(
      /`s`, not a skill of its own.*`examples\/e0\/SKILL.md`.*, 4 others$/,
    )
  })

  it('reports a folder without SKILL.md and keeps its tools', async () => {
    const scan = await scanSkills([makeFolder('s', { 'scripts/a.py': '@skill_command\ndef t(): pass\n' })])
    expect(Object.keys(scan.skills[0]!.payload.skill_tools)).toEqual(['s.t'])
    expect(scan.diagnostics.map(found => found.code)).toEqual(['skill-structure'])
  })
})
