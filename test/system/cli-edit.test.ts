// `rye edit` with a script as the editor: what it writes is validated, shown and signed, or kept.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace, type Place } from './run-rye.ts'

let place: Place
let notes: string
beforeAll(async () => {
  place = makePlace()
  await place.rye(['init'])
  notes = join(place.project, '.ai/knowledge/hello/notes.md')
})
afterAll(() => place.remove())

const edit = (script: string, ...words: string[]) =>
  place.start(['edit', 'knowledge:hello/notes', ...words], { env: { EDITOR: script } })

it('shows what changed, and signs it; the editor never sees the signature', async () => {
  const seen = join(place.root, 'seen')
  const ran = await edit(`sh -c 'cp "$1" ${seen}; printf "one more line\\n" >> "$1"' edit`)
  expect(ran.stderr).toBe('')
  expect(ran.stdout).toMatch(/^\+one more line$/m)
  expect(ran.stdout).toContain('edited and signed: knowledge:hello/notes')
  expect(readFileSync(seen, 'utf8')).not.toContain('rye:signed')
  expect(readFileSync(notes, 'utf8')).toMatch(/^<!-- rye:signed:[\s\S]*one more line\n$/)
  expect((await place.rye(['verify', 'knowledge:hello/notes'])).status).toBe(0)
  const before = readFileSync(notes)
  expect((await edit('true')).stdout).toBe('knowledge:hello/notes is unchanged\n')
  expect(readFileSync(notes)).toEqual(before)
})

it('keeps what does not validate as a draft, and the item as it was', async () => {
  const before = readFileSync(notes)
  const ran = await edit(`sed -i 's/^version:.*/version: soon/'`, '--json')
  expect(ran.status).toBe(1)
  const { code, draft } = ran.json()
  expect(code).toBe('VALIDATION_FAILED')
  expect(readFileSync(draft, 'utf8')).toContain('version: soon')
  expect(readFileSync(notes)).toEqual(before)
  await edit('true')
  const again = (await edit(`sed -i 's/^version:.*/version: later/'`, '--json')).json()
  expect(readFileSync(again.draft, 'utf8')).toContain('version: later')
  expect(readFileSync(draft, 'utf8')).toContain('version: soon')
})

it('does not sign away what makes a tool of a file', async () => {
  const path = join(place.project, '.ai/tools/hello/greet.ts')
  const before = readFileSync(path)
  const ran = await place.start(['edit', 'tool:hello/greet', '--json'], {
    env: { EDITOR: `sh -c 'echo "// nothing" > "$1"' edit` },
  })
  expect(ran.status).toBe(1)
  expect(ran.json()).toMatchObject({
    code: 'VALIDATION_FAILED',
    issues: ['it no longer declares a tool'],
  })
  expect(readFileSync(path)).toEqual(before)
})

it('changes nothing when the editor fails, or when somebody else wrote meanwhile', async () => {
  const before = readFileSync(notes)
  const failed = await edit('false')
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain('the editor `false` ended with 1; nothing was changed')
  const { stderr } = await place.start(['edit', 'knowledge:hello/notes'], { env: { PATH: '/nowhere' } })
  expect(stderr).toContain('was not started: `sh` is not on the `PATH`; nothing was changed')
  expect(readFileSync(notes)).toEqual(before)
  const raced = await edit(`sh -c 'echo more >> "$1"; echo theirs >> ${notes}' edit`)
  expect(raced.status).toBe(1)
  expect(raced.stderr).toContain('changed while it was edited')
  expect(readFileSync(notes, 'utf8')).toMatch(/theirs\n$/)
  writeFileSync(notes, before)
  const system = await place.start(['edit', 'tool:rye/bash'])
  expect(system.stderr).toContain('system items are immutable')
})

it('keeps what somebody else wrote into a skill meanwhile', async () => {
  const path = join(place.project, '.ai/skills/notes-skill/SKILL.md')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '---\nname: notes-skill\ndescription: Takes notes\n---\nFirst.\n')
  await place.rye(['sign', 'skill:notes-skill'])
  const raced = await place.start(['edit', 'skill:notes-skill'], {
    env: { EDITOR: `sh -c 'echo mine >> "$1"; echo theirs >> ${path}' edit` },
  })
  expect(raced.status).toBe(1)
  expect(raced.stderr).toContain('changed while it was edited')
  expect(readFileSync(path, 'utf8')).toMatch(/First\.\ntheirs\n$/)
})

it('understands run and exec', async () => {
  const [run, exec] = await Promise.all(
    ['run', 'exec'].map(word => place.rye([word, 'knowledge:hello/notes'])),
  )
  expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('Notes on this project') })
  expect(exec!.stdout).toBe(run!.stdout)
})
