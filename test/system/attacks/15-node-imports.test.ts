// An unsigned `package.json` of the project says which file a signed tool's `#name` means: a file that nobody has signed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSignedProject, nodeHead, type SignedProject } from './signed-project.ts'

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  const imports = { '#settings': './planted.cjs' }
  project.write('package.json', JSON.stringify({ name: 'clone', imports }))
  project.write('planted.cjs', 'exports.level = "planted"\n')
})
afterAll(() => project.remove())

const COMMON_JS = nodeHead().replaceAll('export const ', 'exports.')

it.each([
  [
    'static.mjs',
    `${nodeHead()}import settings from '#settings'\nexport const execute = () => settings.level\n`,
  ],
  [
    'dynamic.mjs',
    `${nodeHead()}export const execute = async () => (await import('#settings')).default.level\n`,
  ],
  ['common.cjs', `${COMMON_JS}exports.execute = () => require('#settings').level\n`],
  [
    'typed.ts',
    `${nodeHead()}import settings from '#settings'\nexport const execute = (): string => settings.level\n`,
  ],
  [
    'script.mjs',
    `${nodeHead()}import settings from '#settings'\nconsole.log(JSON.stringify(settings.level))\n`,
  ],
  [
    'typed-script.ts',
    `${nodeHead()}import settings from '#settings'\nconsole.log(settings.level as string)\n`,
  ],
])('%s', async (file, source) => {
  const id = file.replace(/\.\w+$/, '')
  project.write(`.ai/tools/${file}`, source)
  await project.sign(id)
  const answer = await project.execute(id)
  expect(answer.status).toBe('error')
  expect(JSON.stringify(answer.data ?? null)).not.toContain('"planted"')
})
