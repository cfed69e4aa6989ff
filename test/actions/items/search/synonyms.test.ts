// `config/search/synonyms.yaml` of the project and of the user counts when it is signed; otherwise the answer
// says that it does not.
import { expect, it } from 'vitest'
import { knowledge, type Scratch, scratch } from '../../../workspace/scratch.ts'

const PATH = '.ai/config/search/synonyms.yaml'
const file = (...lines: readonly string[]) =>
  `version: "1.0.0"\ncategory: search\nsynonyms:\n${lines.map(line => `  - ${line}\n`).join('')}`

const open = (): Promise<Scratch> =>
  scratch({
    '.ai/knowledge/pods.md': knowledge('pods', { description: 'Restart what runs in kubernetes' }),
    '.ai/knowledge/parcel.md': knowledge('parcel', { description: 'Ship a parcel' }),
  })
const search = async (made: Scratch, query: string) => {
  const { results, warning } = await made.run('search', { query, source: 'project', match: 'all' })
  return { ids: results.map(({ id }: { id: string }) => id), ...(warning && { warning }) }
}

it('counts when it is signed, of the project and of the user, from the next search on', async () => {
  const made = await open()
  expect(await search(made, 'k8s')).toEqual({ ids: [] })
  made.write(PATH, file('k8s = kubernetes'))
  await made.sign('search/synonyms', { item_type: 'config' })
  expect(await search(made, 'k8s')).toEqual({ ids: ['pods'] })
  made.write(`user:${PATH}`, file('send => ship'))
  await made.sign('search/synonyms', { item_type: 'config', source: 'user' })
  expect(await search(made, 'send')).toEqual({ ids: ['parcel'] })
  expect(await search(made, 'k8s')).toEqual({ ids: ['pods'] })
})

it('is ignored with a warning when it is not signed, or was changed after that', async () => {
  const made = await open()
  made.write(PATH, file('k8s = kubernetes'))
  expect(await search(made, 'k8s')).toEqual({
    ids: [],
    warning: expect.stringMatching(
      /^synonyms of the project are not used: `config:search\/synonyms` is not signed: /,
    ),
  })
  await made.sign('search/synonyms', { item_type: 'config' })
  made.write(PATH, `${made.read(PATH)}  - ship => sink\n`)
  const { ids, warning } = await search(made, 'k8s')
  expect(ids).toEqual([])
  expect(warning).toContain('`config:search/synonyms` was changed after it was signed')
})

it('with a bad line is not signed, and the line is named', async () => {
  const made = await open()
  made.write(PATH, file('k8s = kubernetes', 'c++ = cpp'))
  expect(await made.run('sign', { item_id: 'search/synonyms', item_type: 'config' })).toMatchObject({
    code: 'VALIDATION_FAILED',
    issues: ['`synonyms[1]`: expected only letters and digits, not `+`, got `c++ = cpp`'],
  })
})

it('is listed by `doctor` when it cannot be used', async () => {
  const made = await open()
  made.write(PATH, file('k8s = kubernetes'))
  const { checks } = await made.run('doctor')
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'unsigned',
      message: expect.stringContaining('config:search/synonyms@project'),
    }),
  )
})

it.each([
  ['no list', 'version: "1.0.0"\ncategory: search\n'],
  ['another list', 'version: "1.0.0"\ncategory: search\nsynonyms: {k8s: kubernetes}\n'],
  ['no YAML', 'version: "1.0.0"\ncategory: [search\n'],
  [
    'a thousand anchors',
    `version: "1.0.0"\ncategory: search\na: &a [1]\nsynonyms: [${'*a, '.repeat(1000)}1]\n`,
  ],
])('with %s is not signed, and no search fails for it', async (_, text) => {
  const made = await open()
  made.write(PATH, text)
  expect(await made.run('sign', { item_id: 'search/synonyms', item_type: 'config' })).toMatchObject({
    status: 'error',
  })
  expect(await search(made, 'kubernetes')).toMatchObject({
    ids: ['pods'],
    warning: expect.stringContaining('synonyms'),
  })
})
