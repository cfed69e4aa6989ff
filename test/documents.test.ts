// The documents name only paths, links, commands and flags that exist: unchecked documents go stale.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Fields } from '../src/actions/definition/field-spec.ts'
import { ACTIONS } from '../src/actions/table.ts'
import { otherCommands } from '../src/program/other-commands.ts'
import { flagName, GLOBAL_FLAGS } from '../src/surfaces/cli/arguments.ts'
import { completionCommand } from '../src/surfaces/cli/completion/command.ts'
import { blocksOf, commandsOf, listDocuments, REPOSITORY, readDocument } from './fixtures/documents.ts'

const documents = listDocuments()
const scripts = Object.keys(JSON.parse(readFileSync(new URL('package.json', REPOSITORY), 'utf8')).scripts)
const folders = readdirSync(new URL('src/', REPOSITORY), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

describe.each(documents)('%s', document => {
  const text = readDocument(document)

  it('names only paths that exist', () => {
    expect(pathsIn(text, document).filter(path => !existsSync(new URL(path, REPOSITORY)))).toEqual([])
  })

  it('links only to headings that exist', () => {
    const broken = [...text.matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)].filter(([, page, anchor]) => {
      const target = page ? new URL(page, `file:///${document}`).pathname.slice(1) : document
      return !headingsOf(readDocument(target)).includes(anchor!)
    })
    expect(broken.map(match => match[0])).toEqual([])
  })

  it('names only npm commands that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(match => match[1]!)
    expect(named.filter(name => !scripts.includes(name))).toEqual([])
  })

  it('names only commands and flags of rye that exist', async () => {
    const faults = await Promise.all(callsIn(text).map(faultOf))
    expect(faults.filter(fault => fault !== undefined)).toEqual([])
  })

  it('speaks of the product alone', () => {
    expect(text).not.toMatch(/\/(work|root|home\/\w+\/work)\//)
  })
})

it('the index lists every page', () => {
  const index = pathsIn(readDocument('docs/README.md'), 'docs/README.md')
  const pages = documents.filter(page => page.startsWith('docs/') && page !== 'docs/README.md')
  expect(pages.filter(page => !index.includes(page))).toEqual([])
})

it('the architecture has a row for every folder of src', () => {
  const text = readDocument('ARCHITECTURE.md')
  expect(folders.filter(folder => !text.includes(`\n| \`${folder}/\` |`))).toEqual([])
})

it('a wrong command or flag is found', async () => {
  expect(callsIn('say `rye serach x`, or\n```sh\ncd y && rye list --al   # all\n```\n')).toEqual([
    'rye list --al',
    'rye serach x',
  ])
  expect(await faultOf('rye serach x')).toBe('rye serach x: no such command')
  expect(await faultOf('rye list --al')).toBe('rye list --al: no flag --al')
  expect(await faultOf('rye mcp --prot 1')).toBe('rye mcp --prot 1: no flag --prot')
  expect(await faultOf('rye keys trust FILE --json')).toBeUndefined()
  expect(await faultOf('rye keys --help')).toBeUndefined()
  expect(await faultOf('rye keys --json')).toBe('rye keys --json: no flag --json')
})

/**
 * Paths of this repository as the documents write them: in backticks, from the root or from `src/`, or as
 * link targets.
 */
function pathsIn(text: string, document: string): string[] {
  const found: string[] = []
  for (const [, path] of text.matchAll(/`((?:src|test|docs|scripts|bench|system|\.ci)\/[\w./*{},-]*)`/g)) {
    if (!/[*{}]/.test(path!)) found.push(path!)
  }
  for (const [, folder, path] of text.matchAll(/`(\w+)(\/[\w./-]+\.ts)`/g)) {
    if (folders.includes(folder!)) found.push(`src/${folder}${path}`)
  }
  for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)) {
    found.push(new URL(link!, `file:///${document}`).pathname.slice(1))
  }
  return found
}

/** The anchors of a page's headings, as Markdown renderers make them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

/** Every call of `rye`, in `sh` blocks and in backticks. */
function callsIn(text: string): string[] {
  const typed = blocksOf(text)
    .filter(block => block.language === 'sh')
    .flatMap(block => commandsOf(block.text))
    .flatMap(command => command.replace(/\s#.*$/, '').split(/&&|[|;<>]/))
    .map(part => part.trim())
  const quoted = [...text.matchAll(/`(rye [^`\n]+)`/g)].map(match => match[1]!)
  return [...typed, ...quoted].filter(call => /^rye [a-z]/.test(call))
}

async function faultOf(call: string): Promise<string | undefined> {
  // Anything in quotes is a value, whatever it looks like.
  const words = call
    .replaceAll(/'[^']*'/g, 'x')
    .split(/\s+/)
    .slice(1)
  const known = await flagsOf(words)
  if (!known) return `${call}: no such command`
  const flags = words.flatMap(word => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])
  const unknown = flags.find(flag => !known.includes(flag))
  return unknown && `${call}: no flag --${unknown}`
}

/** The flags of the command that these words start with. */
async function flagsOf(words: readonly string[]): Promise<string[] | undefined> {
  for (const length of [2, 1]) {
    const entry = ACTIONS.find(candidate => candidate.name === words.slice(0, length).join(' '))
    if (!entry) continue
    return [...namesOf((await entry.load()).fields), ...Object.keys(GLOBAL_FLAGS), 'project']
  }
  const others = otherCommands({ environment: {}, program: '', onStarted: () => {} })
  const other = [...others, completionCommand(others, () => {})].find(({ name }) => name === words[0])
  if (other) return [...namesOf((await other.load()).fields), 'help', 'project']
  // The first word of a group, such as `rye keys`, takes only `--help`.
  const isGroup = ACTIONS.some(entry => entry.name.startsWith(`${words[0]} `))
  return isGroup && (words[1] ?? '--help').startsWith('--') ? ['help'] : undefined
}

function namesOf(fields: Fields): string[] {
  return Object.entries(fields).map(([name, field]) => flagName(name, field))
}
