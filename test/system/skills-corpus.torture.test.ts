// One reader: validate, sign, search, the table and an official client agree on what loads, what conforms and
// what is served.
import { join } from 'node:path'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { expect, it } from 'vitest'
import { connectStdio, ERAS, makeWorld, type World } from './mcp-world.ts'
import { runInside } from './run-rye.ts'
import { type MadeSkill, SKILL_KINDS, writeCorpus } from './skill-corpus.ts'

/** One answer of search holds at most 100. */
const SIZE = 70

/** Exit statuses do not matter: some skills are faulty. */
// biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
async function rye(world: World, ...words: string[]): Promise<any> {
  const ran = await runInside([...words, '--json'], { directory: world.project, environment: world.env })
  return ran.json()
}

const names = (made: readonly MadeSkill[], is: (kind: MadeSkill['kind']) => boolean) =>
  made
    .filter(({ kind }) => is(kind))
    .map(({ name }) => name)
    .sort()

it('judges a corpus of real faults the same way everywhere', async () => {
  const world = makeWorld()
  const library = join(world.project, '.claude/skills')
  const made = writeCorpus(library, SIZE)
  expect(made.length).toBeGreaterThan(SKILL_KINDS.length * 2)

  const { skills } = await rye(world, 'skills', 'validate', library)
  const judged = skills.map((skill: Record<string, { ok: boolean }> & { path: string }) => [
    skill.path,
    skill.loads!.ok,
    skill.conforms!.ok,
  ])
  expect(Object.fromEntries(judged.map(([path, ...verdicts]: [string]) => [path, verdicts]))).toEqual(
    Object.fromEntries(made.map(({ name, kind }) => [name, [kind.loads, kind.conforms]])),
  )

  await rye(world, 'keys', 'generate')
  const signed = await rye(world, 'sign', 'skill:*', '--reviewed')
  const loading = names(made, kind => kind.loads)
  expect(signed.signed.sort()).toEqual(loading)

  const again = await rye(world, 'skills', 'validate', library)
  const serving = names(made, kind => kind.served)
  const served = again.skills.filter((skill: { served: { ok: boolean } }) => skill.served.ok)
  expect(served.map((skill: { path: string }) => skill.path).sort()).toEqual(serving)
  for (const [, era] of ERAS) {
    const { client } = await connectStdio(world, era)
    const listed = await new SkillsClient(client).list()
    expect(listed.skills.map(({ uri }) => uri.slice('skill://'.length, -'/SKILL.md'.length)).sort()).toEqual(
      serving,
    )
  }

  const found = await rye(world, 'search', 'sail OR sails', '--type', 'skill', '--limit', '100')
  expect(found.results.map((hit: { id: string }) => hit.id).sort()).toEqual(loading)
  await saysTheSame(world, library, { made, found: found.results })
  const { added } = await rye(world, 'skills', 'sync', library, '--lance', join(world.root, 'table'))
  expect(added.sort()).toEqual(names(made, () => true))
})

interface Hit {
  readonly id: string
  readonly description: string
}

/** What a skill is for, of the first of each kind: by scan, search, execute and an official client. */
async function saysTheSame(
  world: World,
  library: string,
  { made, found }: { made: readonly MadeSkill[]; found: readonly Hit[] },
): Promise<void> {
  const { skills: scanned } = await rye(world, 'skills', 'index', library)
  const { client } = await connectStdio(world, ERAS[1][1])
  const listed = (await new SkillsClient(client).list()).skills
  for (const { name } of made.filter(one => one.name.endsWith('-0') && one.kind.loads)) {
    const { description } = scanned.find((skill: { name: string }) => skill.name === name)
    const executed = await rye(world, 'execute', `skill:${name}`)
    const served = listed.find(({ uri }) => uri === `skill://${name}/SKILL.md`)!
    expect([
      name,
      found.find(hit => hit.id === name)!.description,
      executed.metadata.description,
      served.frontmatter.description.trim(),
    ]).toEqual([name, description, description, description])
    expect(description).not.toBe('')
  }
}
