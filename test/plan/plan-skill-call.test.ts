import { beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { NO_SIBLINGS, planSkillCall, type SkillFunction } from '../../src/plan/plan-skill-call.ts'
import type { VerifiedTool } from '../../src/plan/types.ts'
import { readSystemItems } from './system-items.ts'
import { failureOf, makeContext, VERIFIED } from './world.ts'

const SKILL = {
  space: 'project',
  path: '/srv/app/.ai/skills/pdf/SKILL.md',
  verdict: VERIFIED,
  shadows: [],
} as const
const CALLED: SkillFunction = {
  name: 'pdf.merge',
  skillId: 'pdf',
  inputSchema: { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] },
  source: Buffer.from('from scripts.merge import merge\n'),
  filename: 'rye_call.py',
  functionName: 'merge',
  files: [{ path: 'scripts/merge.py', bytes: Buffer.from('def merge(pages): ...\n') }],
  network: ['api.example'],
}

let system: VerifiedTool[]
beforeAll(async () => {
  system = await readSystemItems()
})

async function call(given: JsonObject = { pages: 3 }, changes: Partial<SkillFunction> = {}) {
  // A file that lies beside the skill, and is not one of its scripts.
  const files = { '/srv/app/.ai/skills/pdf/scripts.py': 'evil' }
  const plan = await planSkillCall(
    SKILL,
    { ...CALLED, ...changes },
    given,
    makeContext({ tools: system, files }),
  )
  if (plan.invocation.kind !== 'function') throw new Error('expected a function')
  return { plan, invocation: plan.invocation }
}

describe('the function of a skill', () => {
  test('is called by keyword, from a copy of the scripts and the launcher alone', async () => {
    const { invocation } = await call()
    const { privateCopy } = invocation
    expect(invocation).toMatchObject({
      host: 'python',
      functionName: 'merge',
      call: 'keywords',
      digest: sha256Hex(CALLED.source),
      filename: `${privateCopy?.directory}/rye_call.py`,
      origin: { copy: privateCopy?.directory, original: '/srv/app/.ai/skills/pdf' },
    })
    expect(privateCopy?.directory).toMatch(/^\/cache\//)
    expect(privateCopy?.files.map(({ path }) => path).sort()).toEqual(['rye_call.py', 'scripts/merge.py'])
  })

  test('runs from another copy when a script is another', async () => {
    const { invocation } = await call()
    const files = [{ path: 'scripts/merge.py', bytes: Buffer.from('def merge(pages): pass\n') }]
    const changed = await call({ pages: 3 }, { files })
    expect(changed.invocation.privateCopy?.directory).not.toBe(invocation.privateCopy?.directory)
  })

  test('takes what its schema says', async () => {
    expect((await failureOf(call({ pages: 'three' }))).message).toContain(
      '/pages: expected integer, got string',
    )
    expect((await failureOf(call({}))).code).toBe('PARAMETERS_INVALID')
  })

  test('reaches the hosts that the skill names', async () => {
    const reached = JSON.stringify((await call()).plan)
    expect(reached).toContain('api.example')
    expect(JSON.stringify((await call({ pages: 3 }, { network: [] })).plan)).not.toContain('api.example')
  })
})

test('no file but those of the skill can be read', async () => {
  expect(await NO_SIBLINGS.list('/srv', { recursive: true, links: 'skip' })).toEqual([])
  await expect(NO_SIBLINGS.read('/srv/x', 'project')).rejects.toThrow('unreachable')
})
