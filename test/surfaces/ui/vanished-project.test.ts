// What disappears while somebody looks at it: the page says so in a sentence, and recovers as soon as it is
// back.
import { renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPageLibrary } from '../../../src/surfaces/ui/page-library.ts'
import { listProjects } from '../../../src/surfaces/ui/projects.ts'
import { summarize } from '../../../src/surfaces/ui/summarize.ts'
import { createSweeper } from '../../../src/surfaces/ui/sweeper.ts'
import { type Library, openLibrary } from '../../../src/workspace/index.ts'
import { type LibrarySession, openSession } from '../../fixtures/library-session.ts'

const note = (id: string) =>
  `---\nid: ${id}\ntitle: ${id}\nversion: "1.0.0"\nentry_type: guide\ncategory: notes\n---\n\ntext\n`
const NEVER = new AbortController().signal

let session: LibrarySession
let library: Library
beforeEach(async () => {
  session = await openSession()
  for (const id of ['a', 'b']) session.write(`.ai/knowledge/notes/${id}.md`, note(id))
  library = openLibrary({ environment: session.environment, caller: 'person', watches: true })
})
afterEach(async () => {
  await library.close()
  await session.close()
})

it('says that the folder of a project is gone, until it is back', async () => {
  const projects = listProjects([session.project])
  const page = createPageLibrary(library, projects, createSweeper(library, projects))
  const unsigned = async () => (await page.summary(0, NEVER)).trust.unsigned
  expect(await unsigned()).toBe(2)
  const away = `${session.project}-away`
  renameSync(session.project, away)
  const gone = {
    code: 'PROJECT_NOT_FOUND',
    message: `the folder of this project is gone: \`${session.project}\``,
  }
  await expect(unsigned()).rejects.toMatchObject(gone)
  const search = { input: { query: '*' }, chosen: {}, most: 1, hints: false, isPatient: false }
  await expect(page.search(0, search, NEVER)).rejects.toMatchObject(gone)
  renameSync(away, session.project)
  rmSync(`${session.project}/.ai/knowledge/notes/b.md`)
  expect(await unsigned()).toBe(1)
})

it('does not count what went while it was counted', async () => {
  const summing = summarize(await library.open(session.project), NEVER)
  rmSync(`${session.project}/.ai/knowledge/notes/b.md`)
  expect((await summing).summary.trust).toMatchObject({ unsigned: 1, malformed: 0 })
})

it('gives no summary of a project that went while it was counted', async () => {
  const projects = listProjects([session.project])
  const summing = createSweeper(library, projects).summary(0, NEVER)
  rmSync(session.project, { recursive: true })
  await expect(summing).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
})
