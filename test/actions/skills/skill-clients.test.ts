import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_NAMES,
  clientName,
  foldersOf,
  SKILL_CLIENT_NAMES,
} from '../../../src/actions/skills/skill-clients.ts'
import { scratch, skill } from '../../workspace/scratch.ts'

describe('clients', () => {
  it('have folders below the project and the home', () => {
    for (const client of SKILL_CLIENT_NAMES) {
      const { project, user } = foldersOf(client)
      for (const folder of [project, user ?? project])
        expect([client, folder]).toEqual([client, expect.stringMatching(/^(\.?[a-z][a-z./-]*\/)?skills$/)])
      expect(`${project}${user}`).not.toContain('..')
    }
    expect(new Set(SKILL_CLIENT_NAMES).size).toBe(SKILL_CLIENT_NAMES.length)
    expect(CLIENT_NAMES).toHaveLength(81)
  })

  it.each([
    ['universal', '.agents/skills', '.config/agents/skills'],
    ['antigravity', '.agents/skills', '.gemini/antigravity/skills'],
    ['droid', '.agents/skills', '.factory/skills'],
    ['kilo', '.agents/skills', '.kilo/skills'],
    ['pi', '.pi/skills', '.pi/agent/skills'],
    // As Codex itself has it, where the installer of npm differs.
    ['codex', '.agents/skills', '.agents/skills'],
    ['cortex', '.cortex/skills', '.snowflake/cortex/skills'],
    ['qoder-cn', '.qoder/skills', '.qoder-cn/skills'],
  ] as const)('%s reads %s and ~/%s', (client, project, user) => {
    expect(foldersOf(client)).toEqual({ project, user })
  })

  it('keep their short and earlier names', () => {
    const aliases = SKILL_CLIENT_NAMES.filter(name => clientName(name) !== name)
    expect(aliases.map(name => [name, clientName(name)])).toEqual([
      ['claude', 'claude-code'],
      ['copilot', 'github-copilot'],
      ['gemini', 'gemini-cli'],
      ['hermes', 'hermes-agent'],
      ['kimi-cli', 'kimi-code-cli'],
      ['kiro', 'kiro-cli'],
    ])
  })

  it('without a folder for all projects are said to have none, and unknown ones are refused', async () => {
    const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf') })
    await made.sign('pdf', { item_type: 'skill' })
    const install = (to: string, input: object = {}) =>
      made.run('skills install', { item_id: 'pdf', to, ...input })
    expect(await install('eve', { user: true })).toMatchObject({
      code: 'INVALID_INPUT',
      error: 'eve has no folder for all projects',
      hint: expect.stringContaining('--user'),
    })
    expect(await install('eve')).toMatchObject({ path: made.path('agent/skills/pdf') })
    for (const odd of ['toString', '__proto__', '../../etc', 'Claude'])
      expect(await install(odd)).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await install('kimi-cli')).toMatchObject({ to: 'kimi-cli' })
    expect(existsSync(made.path('.agents/skills/pdf/SKILL.md'))).toBe(true)
  })
})
