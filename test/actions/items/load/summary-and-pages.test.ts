import { describe, expect, it } from 'vitest'
import { directive, knowledge, scratch, skill, tool } from '../../../workspace/scratch.ts'
import { signed } from './signed-scratch.ts'

describe('a summary', () => {
  it('of a tool says what it takes and what runs it, without its source', async () => {
    const schema = 'CONFIG_SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}\n'
    const made = await signed({
      '.ai/tools/ops/deploy.py': tool('ops/deploy', { version: '1.2.3' }).replace(
        '\ndef ',
        `\n${schema}def `,
      ),
    })
    const answer = await made.run('load', { item_id: 'ops/deploy', view: 'summary' })
    expect(answer).toMatchObject({
      status: 'success',
      item_type: 'tool',
      item_id: 'ops/deploy',
      version: '1.2.3',
      parameters: { type: 'object', properties: { to: { type: 'string' } } },
      signer: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(answer.chain.at(-1).item_id).toBe('rye/core/primitives/subprocess')
    expect(answer).not.toHaveProperty('content')
  })

  it.each([
    ['{a: 1}', '[b]', ''],
    ['{a: 1}', 'A title', 'A title'],
    ['null', '7', '7'],
  ])('of an item with `description: %s` and `title: %s` says `%s`', async (description, title, expected) => {
    const text = `\`\`\`yaml\nname: x\ntitle: ${title}\ndescription: ${description}\n\`\`\`\n`
    const made = await scratch({ '.ai/knowledge/x.md': text }, { environment: { RYE_DEV_MODE: '1' } })
    const answer = await made.run('load', { item_id: 'x', view: 'summary' })
    expect(answer).toMatchObject({ status: 'success', description: expected })
  })

  it('of a directive has its inputs as a schema', async () => {
    const made = await signed({ '.ai/directives/ship.md': directive('ship') })
    expect(await made.run('load', { item_id: 'ship', view: 'summary' })).toMatchObject({
      parameters: { type: 'object', additionalProperties: false },
    })
  })

  it('of a skill has its files', async () => {
    const made = await signed({ '.ai/skills/pdf/SKILL.md': skill('pdf'), '.ai/skills/pdf/a.txt': 'a' })
    const { files } = await made.run('load', { item_id: 'skill:pdf', view: 'summary' })
    expect(files).toEqual(['SKILL.md', 'a.txt'])
  })

  it('of a tool that nothing runs says why', async () => {
    const made = await signed({
      '.ai/tools/deploy.py': tool('deploy').replace(/__executor_id__ = .*/, '__executor_id__ = "my/own"'),
    })
    const answer = await made.run('load', { item_id: 'deploy', view: 'summary' })
    expect(answer.problem).toContain('`my/own`, the executor of `deploy`, is not in project space or below')
    expect(answer).not.toHaveProperty('chain')
  })

  it('is refused for what is not signed, like the source', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    expect(await made.run('load', { item_id: 'deploy', view: 'summary' })).toMatchObject({
      status: 'error',
      code: 'ITEM_UNSIGNED',
    })
  })
})

describe('a page of an item', () => {
  it('is a part of its bytes, and says where the next begins', async () => {
    const made = await signed({ '.ai/knowledge/notes.md': knowledge('notes', { body: 'äöü'.repeat(50) }) })
    const whole = made.read('.ai/knowledge/notes.md')
    let [text, offset] = ['', 0 as number | undefined]
    while (offset !== undefined) {
      const page = await made.run('load', { item_id: 'notes', offset, limit: 7 })
      expect(page.size).toBe(Buffer.byteLength(whole))
      text += page.content
      offset = page.next_offset
    }
    expect(text).toBe(whole)
  })
})

describe('an output that is not kept', () => {
  it.each(['output:0123456789abcdef01234567', 'output:', 'output:../../etc/passwd', 'output:x\u202e'])(
    '%s is not found',
    async item_id => {
      const made = await scratch({})
      expect(await made.run('load', { item_id })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    },
  )
})
