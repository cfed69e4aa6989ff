// A clone decides what a signed JavaScript tool imports: by an unsigned `package.json` that maps a `#name` to
// a file, or by packages, which run as part of the tool and with its secrets.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSignedProject, nodeHead, type SignedProject } from './signed-project.ts'

let project: SignedProject
beforeAll(async () => {
  project = await makeSignedProject()
  const imports = { '#settings': './planted.cjs', '#package': 'left-pad' }
  project.write('package.json', JSON.stringify({ name: 'clone', exports: './planted.cjs', imports }))
  project.write('planted.cjs', PLANTED)
  plant('node_modules/left-pad')
  plant('.ai/tools/beside/node_modules/beside')
  plant('elsewhere/linked')
  symlinkSync(join(project.project, 'elsewhere/linked'), join(project.project, 'node_modules/linked'))
  // Outside of the project, where its link leads.
  const outside = join(project.root, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'index.js'), PLANTED)
  symlinkSync(outside, join(project.project, 'node_modules/leading-out'))
})
afterAll(() => project.remove())

const PLANTED =
  'exports.level = "planted " + [...(process.env.DEPLOY_TOKEN ?? "nothing")].reverse().join("")\n'
const TOKEN = { DEPLOY_TOKEN: 'the-token-of-the-user' }
const STOLEN = 'planted resu-eht-fo-nekot-eht'
const SECRET = "export const ENV_CONFIG = { secrets: ['DEPLOY_TOKEN'] }\n"

function plant(folder: string): void {
  project.write(`${folder}/package.json`, '{"version":"1.0.0"}')
  project.write(`${folder}/index.js`, PLANTED)
}

function allow(how: 'refuse' | 'allow' | 'with-secrets'): void {
  const path = join(project.user, '.ai/config/rye.toml')
  rmSync(path, { force: true })
  if (how === 'refuse') return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `[execute.project_interpreters]\n"${project.project}" = "${how}"\n`)
}

async function makeTool(file: string, body: string): Promise<string> {
  const category = file.includes('/') ? dirname(file) : ''
  const head = nodeHead().replace('__category__ = ""', `__category__ = "${category}"`) + SECRET
  const isCommon = file.endsWith('.cjs')
  project.write(
    `.ai/tools/${file}`,
    `${isCommon ? head.replaceAll('export const ', 'exports.') : head}${body}\n`,
  )
  const id = file.replace(/\.\w+$/, '')
  await project.sign(id)
  return id
}

describe('a `#name` means no unsigned file', () => {
  it.each([
    ['static.mjs', "import settings from '#settings'\nexport const execute = () => settings.level"],
    ['dynamic.mjs', "export const execute = async () => (await import('#settings')).default.level"],
    ['package.mjs', "import settings from '#package'\nexport const execute = () => settings.level"],
    ['common.cjs', "exports.execute = () => require('#settings').level"],
    ['typed.ts', "import settings from '#settings'\nexport const execute = (): string => settings.level"],
    ['script.mjs', "import settings from '#settings'\nconsole.log(JSON.stringify(settings.level))"],
    ['script-package.mjs', "import settings from '#package'\nconsole.log(JSON.stringify(settings.level))"],
    ['typed-script.ts', "import settings from '#settings'\nconsole.log(settings.level as string)"],
  ])('%s', async (file, body) => {
    const answer = await project.execute(await makeTool(file, body), {}, TOKEN)
    expect(answer.status).toBe('error')
    expect(JSON.stringify(answer)).not.toContain('planted resu')
  })
})

describe('a package of the project is not loaded, and named', () => {
  const callOf = (name: string) =>
    `export const execute = async () => (await import('${name}')).default.level`
  const print = 'console.log(JSON.stringify(pad.level))'
  it.each([
    ['f/static.mjs', 'left-pad', "import pad from 'left-pad'\nexport const execute = () => pad.level"],
    ['f/dynamic.mjs', 'left-pad', callOf('left-pad')],
    ['f/file.mjs', 'left-pad/index.js', callOf('left-pad/index.js')],
    ['f/self.mjs', 'clone', callOf('clone')],
    ['f/linked.mjs', 'linked', callOf('linked')],
    ['beside/module.mjs', 'beside', callOf('beside')],
    ['f/typed.ts', 'left-pad', "import pad from 'left-pad'\nexport const execute = (): string => pad.level"],
    [
      'f/evaluated.mjs',
      'left-pad',
      `export const execute = async () => (await (0, eval)("import('left-pad')")).default.level`,
    ],
    ['f/common.cjs', 'left-pad', "exports.execute = () => require('left-pad').level"],
    ['f/common-self.cjs', 'clone', "exports.execute = () => require('clone').level"],
    ['beside/common.cjs', 'beside', "exports.execute = () => require('beside').level"],
    ['s/static.mjs', 'left-pad', `import pad from 'left-pad'\n${print}`],
    ['s/dynamic.mjs', 'left-pad', `const { default: pad } = await import('left-pad')\n${print}`],
    ['s/self.mjs', 'clone', `import pad from 'clone'\n${print}`],
    ['beside/script.mjs', 'beside', `import pad from 'beside'\n${print}`],
    ['s/typed.ts', 'left-pad', `import pad from 'left-pad'\nconst level: string = pad.level\n${print}`],
    [
      's/resolved.ts',
      'left-pad',
      `const { default: pad } = await import(import.meta.resolve('left-pad'))\n${print}`,
    ],
    ['s/from-common.cjs', 'left-pad', `import('left-pad').then(({ default: pad }) => ${print})`],
  ])('%s', async (file, name, body) => {
    allow('refuse')
    const id = await makeTool(file, body)
    const answer = await project.execute(id, {}, TOKEN)
    expect(answer).toMatchObject({ status: 'error', code: 'EXECUTION_FAILED' })
    expect(JSON.stringify(answer)).not.toContain('planted resu')
    const evidence = `${answer.error} ${answer.data.stderr}`
    expect(evidence).toContain(`the package \`${name}\` was found in \``)
    expect(evidence).toContain(
      `and not used, because nobody verified it; to allow it, write \`"${project.project}" = "with-secrets"\` below \`[execute.project_interpreters]\` in \`${project.user}/.ai/config/rye.toml\``,
    )
    allow('allow')
    expect((await project.execute(id, {}, TOKEN)).status).toBe('error')
    allow('with-secrets')
    expect(await project.execute(id, {}, TOKEN)).toMatchObject({ status: 'success', data: STOLEN })
  })
})

describe('what Node does not ask us about looks from the verified copy, not from the project', () => {
  const create = "createRequire } from 'node:module'\n"
  it.each([
    [
      'n/create.mjs',
      `import { ${create}export const execute = () => createRequire(import.meta.url)('left-pad').level`,
    ],
    [
      'n/create-script.mjs',
      `import { ${create}console.log(createRequire(import.meta.url)('left-pad').level)`,
    ],
    [
      'n/resolve.mjs',
      "export const execute = async () => (await import(import.meta.resolve('left-pad'))).default.level",
    ],
    ['n/computed.mjs', "console.log((await import(['left', 'pad'].join('-'))).default.level)"],
    ['n/script.cjs', "console.log(require('left-pad').level)"],
    [
      'n/create-common.cjs',
      "exports.execute = () => require('module').createRequire(__filename)('left-pad').level",
    ],
    [
      'n/made.cjs',
      `exports.execute = async () => (await new Function("return import('left-pad')")()).default.level`,
    ],
  ])('%s', async (file, body) => {
    allow('refuse')
    project.write('.env', 'NODE_PATH=node_modules\nNODE_OPTIONS=--require=./planted.cjs\nHOME=.\n')
    const id = await makeTool(file, body)
    // Copies that lie in the project have its packages above them.
    for (const cache of [join(project.root, 'cache'), join(project.project, 'cache')]) {
      const answer = await project.execute(id, {}, { ...TOKEN, XDG_CACHE_HOME: cache })
      expect(answer.status).toBe('error')
      expect(JSON.stringify(answer)).not.toContain('planted resu')
    }
  })
})

describe('a thread is held to the same, also where its text is in no file', () => {
  const start = (code: string, options = '') =>
    `const { Worker } = process.getBuiltinModule('worker_threads')
const answer = () => new Promise((resolve, reject) => {
  const thread = new Worker(${JSON.stringify(code)}, { eval: true${options} })
  thread.on('message', resolve).on('error', reject)
})\n`
  const post = "require('worker_threads').postMessage"
  const send = "require('worker_threads').parentPort.postMessage"
  it.each([
    ['require', `${send}(require('left-pad').level)`],
    ['computed', `${send}(require(['left', 'pad'].join('-')).level)`],
    ['import', `import('left-pad').then(({ default: pad }) => ${send}(pad.level))`],
    ['link', `${send}(require('leading-out').level)`],
    [
      'nested',
      `const { Worker } = require('worker_threads'); new Worker("${post.replace('post', 'parentPort.post')}(require('left-pad').level)", { eval: true }).on('message', level => ${send}(level)).on('error', error => { throw error })`,
    ],
  ])('%s', async (name, code) => {
    const settings = join(project.user, '.ai/config/rye.toml')
    mkdirSync(dirname(settings), { recursive: true })
    writeFileSync(settings, '[execute]\nisolation = "process-group"\n')
    for (const [file, call] of [
      [`t/${name}-function.mjs`, 'export const execute = () => answer()'],
      [`t/${name}-script.mjs`, 'console.log(JSON.stringify(await answer()))'],
    ] as const) {
      const answer = await project.execute(await makeTool(file, start(code) + call), {}, TOKEN)
      expect(answer.status).toBe('error')
      expect(`${answer.error} ${answer.data?.stderr}`).toMatch(
        /the package `(?:left-pad|leading-out)` was found in `/,
      )
    }
  })

  it('has modules of Node, and packages where the user allows them', async () => {
    allow('with-secrets')
    const code = `${send}(require('path').sep + require('left-pad').level)`
    const id = await makeTool('t/allowed.mjs', `${start(code)}export const execute = () => answer()`)
    expect(await project.execute(id, {}, TOKEN)).toMatchObject({ data: `/${STOLEN}` })
  })
})

it.each([
  ['out-function.mjs', "import pad from 'leading-out'\nexport const execute = () => pad.level"],
  ['out-script.mjs', "import pad from 'leading-out'\nconsole.log(pad.level)"],
])('%s: a link of the project leads to no package outside of it', async (file, body) => {
  // A sandbox would hide where it leads.
  const settings = join(project.user, '.ai/config/rye.toml')
  mkdirSync(dirname(settings), { recursive: true })
  writeFileSync(settings, '[execute]\nisolation = "process-group"\n')
  const answer = await project.execute(await makeTool(file, body), {}, TOKEN)
  expect(`${answer.error} ${answer.data.stderr}`).toContain('the package `leading-out` was found in `')
})

it('a tool without secrets needs a smaller permission', async () => {
  const body = "import pad from 'left-pad'\nexport const execute = () => pad.level\n"
  project.write('.ai/tools/plain.mjs', nodeHead() + body)
  await project.sign('plain')
  allow('refuse')
  expect((await project.execute('plain')).error).toContain(`"${project.project}" = "allow"`)
  allow('allow')
  expect(await project.execute('plain')).toMatchObject({ status: 'success', data: 'planted gnihton' })
})

it('a script of a signed skill is held to the same', async () => {
  const skill = (path: string, text: string) => project.write(`.ai/skills/sk/${path}`, text)
  skill('SKILL.md', '---\nname: sk\ndescription: A skill. Use it in a test.\n---\n\nRun it.\n')
  skill(
    'scripts/b.mjs',
    "import pad from 'left-pad'\nimport own from 'own'\nconsole.log(own.name + pad.level)\n",
  )
  skill('scripts/own.mjs', "import own from 'own'\nconsole.log(JSON.stringify(own.name))\n")
  skill('scripts/node_modules/own/index.js', 'exports.name = "signed with the skill"\n')
  expect((await project.rye(['sign', 'skill:sk'])).status).toBe(0)
  const run = async (name: string) =>
    (await project.rye(['execute', `skill:sk/scripts/${name}`, '--json'])).json()
  allow('refuse')
  const answer = await run('b.mjs')
  expect(answer.status).toBe('error')
  expect(answer.data.stderr).toContain('the package `left-pad` was found in `')
  expect(await run('own.mjs')).toMatchObject({ status: 'success', data: 'signed with the skill' })
  allow('allow')
  expect((await run('b.mjs')).data.stdout).toContain('signed with the skillplanted')
})

it('a file that the tool names by its path is its own choice', async () => {
  allow('refuse')
  const body = `import { createRequire } from 'node:module'
export const execute = (_, project) => createRequire(project + '/package.json')('left-pad').level`
  expect(await project.execute(await makeTool('chosen.mjs', body), {}, TOKEN)).toMatchObject({ data: STOLEN })
})

it('a project cannot allow it itself', async () => {
  allow('refuse')
  project.write(
    '.ai/config/rye.toml',
    `[execute.project_interpreters]\n"${project.project}" = "with-secrets"\n`,
  )
  const id = await makeTool(
    'own-settings.mjs',
    "import pad from 'left-pad'\nexport const execute = () => pad.level",
  )
  expect((await project.execute(id, {}, TOKEN)).status).toBe('error')
})
