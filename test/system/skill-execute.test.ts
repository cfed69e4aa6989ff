// A skill as an item: found by its parts, verified as a folder, its functions run in the warm Python runtime.
import { describe, expect, it } from 'vitest'
import { scratch } from '../workspace/scratch.ts'

const SKILL = {
  '.claude/skills/git-helper/SKILL.md': `---
name: git-helper
description: Helps with commits. Use when committing.
---
# Git helper

Read the guide, then commit.
`,
  '.claude/skills/git-helper/scripts/commands.py': `from some.absent.framework import skill_command
from .helpers import shout


@skill_command(name="greet", description="Greets a zebra politely", read_only=True)
async def greet_impl(name: str, times: int = 2, tags: list[str] | None = None) -> dict:
    """Greet.

    Args:
        name: who to greet
    """
    return {"greeting": shout(f"hello {name} " * times).strip(), "tags": tags}
`,
  '.claude/skills/git-helper/scripts/helpers.py': 'def shout(text):\n    return text.upper()\n',
  '.claude/skills/git-helper/references/guide.md': `---
metadata:
  for_tools: git-helper.greet
  title: Greeting guide
---
# Guide

Never greet a giraffe before noon.
`,
}

async function signedSkill() {
  const world = await scratch(SKILL)
  await world.sign('skill:git-helper')
  return world
}

describe('a skill as an item', () => {
  it.each(['greets a zebra', 'giraffe before noon', 'helps with commits'])('is found by %j', async query => {
    const world = await signedSkill()
    const answer = await world.run('search', { query, item_type: 'skill' })
    expect(answer.results[0]).toMatchObject({ id: 'git-helper', type: 'skill', source: 'project' })
    expect(answer.results[0].trust.status).toBe('verified')
  })

  it.each(
    ['project', 'user'].flatMap(source =>
      ['.ai', '.claude', '.agents'].map(folder => [source, folder] as const),
    ),
  )(
    'of the %s below %s/skills is signed, verified, found, loaded and run by the same actions',
    async (source, folder) => {
      const prefix = source === 'user' ? 'user:' : ''
      const made = await scratch({
        [`${prefix}${folder}/skills/counter/SKILL.md`]:
          '---\nname: counter\ndescription: Counts quokkas\n---\nCount.\n',
        [`${prefix}${folder}/skills/counter/scripts/a.py`]:
          'from absent import skill_command\n\n\n@skill_command\ndef count(words: list[str]) -> int:\n    return len(words)\n',
      })
      const unsigned = await made.run('load', { item_id: 'counter', item_type: 'skill' })
      expect(unsigned).toMatchObject({ code: 'ITEM_UNSIGNED' })
      await made.sign('skill:counter', { source })
      expect(await made.run('verify', { targets: ['skill:counter'] })).toMatchObject({
        items: [{ status: 'verified', item_type: 'skill' }],
      })
      const { results } = await made.run('search', { query: 'quokkas', item_type: 'all' })
      expect(results[0]).toMatchObject({
        id: 'counter',
        type: 'skill',
        source,
        trust: { status: 'verified' },
      })
      const loaded = await made.run('load', { item_id: 'counter', item_type: 'skill' })
      expect(loaded.content).toContain('Count.')
      const ran = await made.run('execute', { item_id: 'counter.count', parameters: { words: ['a', 'b'] } })
      expect(ran).toMatchObject({ status: 'success', data: 2 })
    },
  )

  it('answers with its content, tools and references', async () => {
    const world = await signedSkill()
    const answer = await world.run('execute', { item_id: 'git-helper' })
    expect(answer).toMatchObject({ status: 'success', type: 'skill', item_id: 'git-helper' })
    expect(answer.content).toContain('Read the guide')
    expect(answer.tools).toHaveLength(1)
    expect(answer.tools[0]).toMatchObject({
      item_id: 'git-helper.greet',
      input_schema: { required: ['name'], properties: { times: { type: 'integer', default: 2 } } },
      annotations: { read_only: true },
    })
    expect(answer.references).toEqual([
      {
        item_id: 'skill:git-helper/references/guide.md',
        ref_name: 'guide',
        title: 'Greeting guide',
        path: 'references/guide.md',
      },
    ])
  })

  it('runs a function by keyword, with its siblings and without its framework', async () => {
    const world = await signedSkill()
    const parameters = { name: 'Ada', times: 3 }
    const answer = await world.run('execute', { item_id: 'git-helper.greet', parameters, trace: true })
    expect(answer).toMatchObject({
      status: 'success',
      type: 'tool',
      item_id: 'git-helper.greet',
      data: { greeting: 'HELLO ADA HELLO ADA HELLO ADA', tags: null },
      annotations: { read_only: true, destructive: false },
    })
    expect(answer.chain.at(-1).item_id).toBe('rye/core/primitives/subprocess')
    expect(answer.receipt).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(['fork', 'spawn', 'forkserver'])(
    'runs functions of the script in processes, by %s',
    async method => {
      const made = await scratch({
        '.claude/skills/pool/SKILL.md': '---\nname: pool\ndescription: Works in processes\n---\nWork.\n',
        '.claude/skills/pool/scripts/work.py': `from multiprocessing import get_context
from absent import skill_command
from .helpers import twice
def more(n):
    return twice(n) + 1
@skill_command
def work(method: str) -> list:
    with get_context(method).Pool(1) as pool:
        return pool.map(more, [1, 2])
`,
        '.claude/skills/pool/scripts/helpers.py': 'def twice(n):\n    return 2 * n\n',
      })
      await made.sign('skill:pool')
      expect(await made.run('execute', { item_id: 'pool.work', parameters: { method } })).toMatchObject({
        status: 'success',
        data: [3, 5],
      })
    },
  )

  it('refuses parameters that the signature does not allow', async () => {
    const world = await signedSkill()
    const answer = await world.run('execute', {
      item_id: 'git-helper.greet',
      parameters: { times: 'x', who: 1 },
    })
    expect(answer).toMatchObject({
      status: 'error',
      code: 'PARAMETERS_INVALID',
      hint: 'see what it takes: rye execute skill:git-helper',
    })
    expect(answer.error).toMatch(/name.*times|times.*name/s)
  })

  it('names the nearest tool for one that is not there', async () => {
    const world = await signedSkill()
    const answer = await world.run('execute', { item_id: 'git-helper.gret' })
    expect(answer).toMatchObject({ code: 'ITEM_NOT_FOUND', hint: 'did you mean `git-helper.greet`?' })
  })

  it.each([
    [
      'a script changes',
      '.claude/skills/git-helper/scripts/helpers.py',
      'def shout(text):\n    return "x"\n',
    ],
    ['a file comes', '.claude/skills/git-helper/scripts/__init__.py', ''],
  ])('is refused when %s', async (_, path, text) => {
    const world = await signedSkill()
    world.write(path, text)
    const answer = await world.run('execute', { item_id: 'git-helper.greet', parameters: { name: 'Ada' } })
    expect(answer).toMatchObject({ status: 'error', code: 'ITEM_TAMPERED' })
  })
})
