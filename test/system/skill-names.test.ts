// The names of a skill's files and functions: each leads to the thing that it was given out for, and to
// nothing else.
import { describe, expect, it } from 'vitest'
import { scratch } from '../workspace/scratch.ts'

/** A signed skill with these files. */
async function kit(files: Readonly<Record<string, string>>) {
  const text = '---\nname: kit\ndescription: Functions of a kit\n---\n\nCall one.\n'
  const all = { 'SKILL.md': text, ...files }
  const made = await scratch(
    Object.fromEntries(Object.entries(all).map(([path, content]) => [`.claude/skills/kit/${path}`, content])),
  )
  await made.sign('skill:kit')
  return made
}

describe('two functions of one name', () => {
  const TWICE = `from skills_core import skill_command, skill_resource

@skill_command(name="x")
def one():
    return 1

@skill_command(name="x")
def two():
    return 2

@skill_resource(name="x")
def three():
    return 3
`
  it('each have an id, which execute takes', async () => {
    const made = await kit({ 'scripts/b.py': TWICE })
    const { tools } = await made.run('execute', { item_id: 'kit' })
    const ids = tools.map((tool: { item_id: string }) => tool.item_id)
    expect(ids).toEqual(['kit.x#one', 'kit.x#two', 'kit.x#resource'])
    for (const [index, item_id] of ids.entries())
      expect(await made.run('execute', { item_id: `skill:${item_id}` })).toMatchObject({ data: index + 1 })
    expect(await made.run('execute', { item_id: 'kit.x' })).toMatchObject({
      code: 'ITEM_AMBIGUOUS',
      hint: 'name one: `kit.x#one`, `kit.x#two`, `kit.x#resource`',
    })
    expect(await made.run('execute', { item_id: 'kit#one' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('each have one in files that are written alike, and beside a skill of their name', async () => {
    const tool = (name: string, value: number) =>
      `from skills_core import skill_command\n@skill_command(name="${name}")\ndef f():\n    return ${value}\n`
    const made = await kit({
      'scripts/a/b.py': tool('same', 1),
      'scripts/a-b.py': tool('same', 2),
      'scripts/c.py': tool('commit', 3),
      'scripts/d.py': tool('two.dots', 4),
      'scripts/e.py': tool('two words', 5),
    })
    made.write('.ai/skills/kit.commit/SKILL.md', '---\nname: kit.commit\ndescription: Commits\n---\n')
    await made.run('sign', { item_id: 'kit.commit', item_type: 'skill' })
    const { tools } = await made.run('execute', { item_id: 'kit' })
    const ids: string[] = tools.map((one: { item_id: string }) => one.item_id)
    expect(ids.slice(0, 3)).toEqual(['kit.same#a-b-f-d0b68284', 'kit.commit#f', 'kit.two.dots'])
    const values = []
    for (const item_id of ids) values.push((await made.run('execute', { item_id: `skill:${item_id}` })).data)
    expect(values.sort()).toEqual([1, 2, 3, 4, 5])
    expect(await made.run('execute', { item_id: 'kit.commit' })).toMatchObject({ type: 'skill' })
  })
})

it('the names that a skill of another space hands out lead to its own files and functions', async () => {
  const script = (says: string) => `from x import skill_command


@skill_command(name="go", description="Goes")
def go() -> str:
    return "${says}"
`
  const text = '---\nname: dup\ndescription: Does it\n---\nRun {baseDir}/scripts/a.py, see [b](b@user).\n'
  const world = await scratch({
    '.ai/skills/dup/SKILL.md': text,
    '.ai/skills/dup/scripts/a.py': script('project'),
    '.ai/skills/dup/b@user': 'in the project',
    'user:.ai/skills/dup/SKILL.md': text,
    'user:.ai/skills/dup/scripts/a.py': script('user'),
    'user:.ai/skills/dup/b@user': 'of the user',
  })
  for (const space of ['project', 'user']) await world.run('sign', { item_id: `skill:dup@${space}` })
  const own = await world.run('execute', { item_id: 'skill:dup' })
  expect(own.content).toContain('Run skill:dup/scripts/a.py, see [b](skill:dup@project/b@user)')
  expect(own.tools[0].item_id).toBe('dup.go')
  const other = await world.run('execute', { item_id: 'skill:dup@user' })
  expect(other.content).toContain('Run skill:dup@user/scripts/a.py, see [b](skill:dup@user/b@user)')
  expect((await world.run('execute', { item_id: other.tools[0].item_id })).data).toBe('user')
  const texts = await Promise.all(
    [own, other].map(async ({ files }) => {
      const file = files.find(({ path }: { path: string }) => path === 'b@user')
      return (await world.run('load', { item_id: file.item_id })).content
    }),
  )
  expect(texts).toEqual(['in the project', 'of the user'])
  expect(await world.run('load', { item_id: 'skill:dup@system/b@user' })).toMatchObject({
    code: 'ITEM_NOT_FOUND',
    error: 'no skill `dup` in the system space',
  })
})

it('a function that is defined again further down is not run in its place', async () => {
  const define = (says: string) => `
@skill_command(name="${says}", description="Says ${says}")
def same() -> str:
    return "${says}"
`
  const world = await scratch({
    '.ai/skills/twice/SKILL.md': '---\nname: twice\ndescription: Does it twice\n---\nText.\n',
    '.ai/skills/twice/scripts/a.py': `from x import skill_command\n${define('first')}\n${define('second')}`,
  })
  await world.sign('skill:twice')
  expect((await world.run('execute', { item_id: 'twice.second' })).data).toBe('second')
  expect(await world.run('execute', { item_id: 'twice.first' })).toMatchObject({
    code: 'ITEM_MALFORMED',
    error: expect.stringContaining('defined again further down'),
    hint: expect.stringContaining('define `same` (`scripts/a.py`, line 4) once'),
  })
})

const METHODS = `from x import skill_command

@skill_command
def hello(name: str = "you") -> str:
    """Say hello"""
    return "hello " + name

class Box:
    @skill_command
    def method(self) -> str:
        """A zebra of a method"""
        return "method"

def outer():
    @skill_command
    def inner() -> str:
        return "inner"
`

describe('functions that cannot be called', () => {
  it('are not offered, and an error says what to do', async () => {
    const made = await kit({ 'scripts/b.py': METHODS })
    const { tools } = await made.run('execute', { item_id: 'skill:kit' })
    expect(tools.map((tool: { item_id: string }) => tool.item_id)).toEqual(['kit.hello'])
    expect(await made.run('execute', { item_id: 'kit.method' })).toMatchObject({
      code: 'ITEM_MALFORMED',
      hint: 'define `method` (`scripts/b.py`, line 10) once, at the top of the file and outside of classes and functions, and sign the skill again',
    })
    expect(await made.run('execute', { item_id: 'kit.x' })).toMatchObject({ hint: 'its tools: kit.hello' })
    const { results } = await made.run('search', { query: 'zebra', source: 'project' })
    expect(results).toEqual([])
  })
})

describe('a function that is named as what it is not', () => {
  it.each([
    { item_id: 'kit.hello', item_type: 'tool' },
    { item_id: 'tool:kit.hello' },
    { item_id: 'tool:kit.hello@project' },
    { item_id: 'skill:kit.hello' },
  ])('is run all the same: %j', async named => {
    const made = await kit({ 'scripts/b.py': METHODS })
    expect(await made.run('execute', named)).toMatchObject({ status: 'success', data: 'hello you' })
  })

  it('is told with the parameters that it needs', async () => {
    const needy = 'from x import skill_command\n\n@skill_command\ndef add(a: int, b: int, c: int = 0): ...\n'
    const made = await kit({ 'scripts/b.py': needy })
    const person = await made.run('load', { item_id: 'kit.add' })
    expect(person.hint).toContain('`rye execute skill:kit.add --param a=... --param b=...`')
    const agent = await made.run('load', { item_id: 'kit.add' }, 'agent')
    expect(agent.hint).toContain('run `skill:kit.add` with `execute` and the parameters a, b')
  })

  it('is not run in the place of a tool, nor of what is no function', async () => {
    const made = await kit({ 'scripts/b.py': METHODS })
    expect(await made.run('execute', { item_id: 'tool:kit.helo' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `kit.hello`?',
    })
    expect(await made.run('execute', { item_id: 'knowledge:kit.hello' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it.each(['skill:kit.hello', 'kit.hello', 'tool:kit.hello'])(
    'is not loaded or shown as %s, but told',
    async item_id => {
      const made = await kit({ 'scripts/b.py': METHODS })
      const hint = (verb: string) =>
        `it is a function of the skill \`kit\`, in \`skill:kit/scripts/b.py\`: load that file, or run ${verb}`
      for (const action of ['load', 'show']) {
        const person = await made.run(action, { item_id })
        expect(person).toMatchObject({
          code: 'ITEM_NOT_FOUND',
          hint: hint('the function with `rye execute skill:kit.hello`'),
        })
      }
      const agent = await made.run('load', { item_id }, 'agent')
      expect(agent.hint).toBe(hint('`skill:kit.hello` with `execute`'))
    },
  )

  it('says nothing of a skill that may not be used', async () => {
    const made = await kit({ 'scripts/b.py': METHODS })
    made.write('.claude/skills/kit/scripts/b.py', `${METHODS}\n`)
    const answer = await made.run('load', { item_id: 'skill:kit.hello' })
    expect(answer.code).toBe('ITEM_NOT_FOUND')
    expect(JSON.stringify(answer)).not.toContain('b.py')
  })
})
