// The Skills extension of the built server, used by the official client of both protocol eras.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, it } from 'vitest'
import { addSkill, connectHttp, connectStdio, ERAS, makeWorld, startHttp } from './mcp-world.ts'

describe.each(ERAS)('a client of %s', (_name, era) => {
  it('lists, gets and reads skills on stdio, and every file is what the entry says', async () => {
    const world = makeWorld()
    await addSkill(world, 'butler', 'project')
    await addSkill(world, 'pirate', 'user')
    const { client } = await connectStdio(world, era)
    const skills = new SkillsClient(client)
    expect(skills).toMatchObject({ supported: true, directoryRead: true })
    const { skills: entries } = await skills.list()
    expect(entries.map(entry => entry.uri)).toEqual(['skill://butler/SKILL.md', 'skill://pirate/SKILL.md'])
    for (const entry of entries) {
      expect((await skills.get(entry.uri)).skill).toEqual(entry)
      for (const path of ['SKILL.md', 'SKILL.sig', 'references/manners.md', 'scripts/greet.py'])
        expect(await skills.read(entry, path)).toMatchObject({ verified: true, text: expect.any(String) })
    }
    const { resources } = await skills.readDirectory('skill://pirate/scripts')
    expect(resources.map(child => child.uri)).toEqual(['skill://pirate/scripts/greet.py'])
    expect(await client.listResourceTemplates()).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'skill://{+path}' }],
    })
    expect((await client.listTools()).tools.map(tool => tool.name)).toEqual([
      'search',
      'load',
      'execute',
      'sign',
    ])
  })

  it('is refused a skill that was changed, what a link leads to, and every address outside of a skill', async () => {
    const world = makeWorld()
    for (const name of ['butler', 'clown', 'pirate']) await addSkill(world, name, 'project')
    const { client } = await connectStdio(world, era)
    const skills = new SkillsClient(client)
    const { skills: entries } = await skills.list()
    expect(entries).toHaveLength(3)
    writeFileSync(join(world.project, '.ai/skills/pirate/scripts/greet.py'), 'print("arr")\n')
    symlinkSync('/etc/passwd', join(world.project, '.ai/skills/clown/passwd'))
    expect((await skills.list()).skills.map(entry => entry.uri)).toEqual([
      'skill://butler/SKILL.md',
      'skill://clown/SKILL.md',
    ])
    for (const uri of [
      'skill://pirate/SKILL.md',
      'skill://clown/passwd',
      'skill://nobody/SKILL.md',
      'skill://../../etc/passwd',
      'skill://butler/%2e%2e/%2e%2e/%2e%2e/config/keys/signing/private_key.pem',
      'skill://butler/..%2f..%2f..%2fetc%2fpasswd',
    ])
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602 })
    await expect(skills.read(entries[2]!)).rejects.toThrow('was changed after it was signed')
  })

  it("gets the user's skills over HTTP, where no project is known", async () => {
    const world = makeWorld()
    await addSkill(world, 'butler', 'project')
    await addSkill(world, 'pirate', 'user')
    const skills = new SkillsClient(await connectHttp(await startHttp(world), era))
    const { skills: entries } = await skills.list()
    expect(entries.map(entry => entry.uri)).toEqual(['skill://pirate/SKILL.md'])
    expect(await skills.read(entries[0]!, 'references/manners.md')).toMatchObject({ verified: true })
    await expect(skills.get('skill://butler/SKILL.md')).rejects.toMatchObject({ code: -32602 })
  })
})

describe('the server', () => {
  it('finds no skills, and no fault, where there is no library', async () => {
    const world = makeWorld()
    const { client } = await connectStdio(world, ERAS[1][1])
    expect((await new SkillsClient(client).list()).skills).toEqual([])
    rmSync(world.project, { recursive: true })
    await expect(new SkillsClient(client).list()).rejects.toMatchObject({ code: -32602 })
    expect((await client.listTools()).tools).toHaveLength(4)
  })
})
