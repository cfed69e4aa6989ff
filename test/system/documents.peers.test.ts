// Every code block of the documents does what its page says: commands run, answers are as printed, items
// validate. A page is one story: its blocks share a scratch project. CONTRIBUTING.md says how to write a
// block.
import { load as parseYaml } from 'js-yaml'
import { parse as parseToml } from 'smol-toml'
import { describe, type ExpectStatic, expect, it } from 'vitest'
import { type Block, blocksOf, commandsOf, listDocuments, readDocument } from '../fixtures/documents.ts'
import { openScene, type Scene } from '../fixtures/scene.ts'

/** Commands that are not run, each with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm run demo': 'builds the checkout, which this run uses; the tour has a test of its own',
  'npm test': 'would run this test again',
  'npx -y ryekit demo':
    'fetches what is published; `first-minutes.peers.test.ts` does it with what was built',
  'npx -y ryekit init':
    'fetches what is published; `first-minutes.peers.test.ts` does it with what was built',
  'git clone <this repository> && cd rye': 'needs the network, and a name for the repository',
}

/** Blocks that show a form rather than a whole file, by page and first line, each with the reason. */
const FORMS: Readonly<Record<string, string>> = {
  'docs/formats/signature.md: rye:signed:TIMESTAMP:HASH:SIG:FP': 'a form; real lines are in the trust corpus',
  'docs/formats/signature.md: rye-item-v2 LF type LF id LF file LF timestamp LF provenance LF hash LF':
    'a message',
}

const NOTATIONS: ReadonlySet<string> = new Set(['abnf', 'ebnf'])

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: text => parseYaml(text),
}

// The pages of docs/reference are generated, and compared with what generates them by a test of their own.
const written = listDocuments().filter(page => !page.startsWith('docs/reference/'))
const pages = written.filter(page => playedBlocks(page).some(block => !isOnlyShown(page, block)))

/** Programs in TypeScript, and what they print, have a test of their own: `library-page.peers.test.ts`. */
function playedBlocks(page: string): Block[] {
  const blocks = blocksOf(readDocument(page))
  return blocks.filter((block, index) => block.language !== 'ts' && blocks[index - 1]?.language !== 'ts')
}

/** A block that nothing can check. */
function isOnlyShown(page: string, block: Block): boolean {
  return NOTATIONS.has(block.language) || Object.hasOwn(FORMS, nameOf(page, block))
}

describe.concurrent('the blocks of', () => {
  it.for(pages)('%s', async (page, { expect }) => {
    const scene = openScene()
    try {
      const items = await playPage({ scene, expect }, page)
      if (items.length > 0) await expectItemsToValidate({ scene, expect }, items)
    } finally {
      scene.close()
    }
  })
})

/** One page while it is played. Pages are played at the same time, and each has its own `expect`. */
interface Story {
  readonly scene: Scene
  readonly expect: ExpectStatic
}

describe('what is not run', () => {
  it('still stands in the documents', () => {
    const blocks = written.flatMap(page => blocksOf(readDocument(page)).map(block => ({ page, block })))
    const commands = blocks.flatMap(({ block }) => commandsOf(block.text)).map(bare)
    expect(Object.keys(NOT_RUN).filter(command => !commands.includes(command))).toEqual([])
    const names = blocks.map(({ page, block }) => nameOf(page, block))
    expect(Object.keys(FORMS).filter(name => !names.includes(name))).toEqual([])
  })
})

describe('a printed answer', () => {
  it('matches by lines, whatever the width of gaps, and dots stand for anything', () => {
    expect(fits('a  1\nb\nc\n', 'a 1\n...\nc')).toBe(true)
    expect(fits('a\nc\n', 'a\n...\nc')).toBe(true)
    expect(fits('took 12 ms', 'took ... ms')).toBe(true)
    expect(fits('a\nb\n', 'a')).toBe(false)
    expect(fits('took 12 s', 'took ... ms')).toBe(false)
    expect(fits('a\nb', 'b\na')).toBe(false)
  })
})

/** Plays the blocks of a page in order, and returns the items that it wrote. */
async function playPage(story: Story, page: string): Promise<string[]> {
  const files: string[] = []
  let answer: string | undefined
  for (const block of playedBlocks(page)) {
    const place = `${page}:${block.line}`
    const given = answer
    answer = undefined
    if (isOnlyShown(page, block)) continue
    if (block.language === 'sh') answer = await runBlock(story, block, place)
    else if (block.language === 'text' && given !== undefined) expectAnswer(story, given, block, place)
    else if (block.path === undefined) readBlock(story, block, place)
    else {
      if (Object.hasOwn(READERS, block.language)) readBlock(story, block, place)
      story.scene.write(block.path, block.text)
      files.push(block.path)
    }
  }
  return files.filter(path =>
    /^(~\/)?\.ai\/((directives|tools|knowledge)\/|skills\/.*\/SKILL\.md$)/.test(path),
  )
}

async function runBlock({ scene, expect }: Story, block: Block, place: string): Promise<string> {
  const commands = commandsOf(block.text).filter(command => !Object.hasOwn(NOT_RUN, bare(command)))
  const outcomes = await scene.run(commands)
  expect(outcomes.map(outcome => outcome.command)).toEqual(commands)
  for (const { command, status, output } of outcomes) {
    const expected = Number(/#.*\bexit status (\d+)/.exec(command)?.[1] ?? 0)
    expect(status, `${place}: ${command}\n${output}`).toBe(expected)
  }
  return outcomes.map(outcome => outcome.output).join('')
}

function expectAnswer({ expect }: Story, answer: string, block: Block, place: string): void {
  expect(fits(answer, block.text) ? block.text : answer, `${place}: the answer differs`).toBe(block.text)
}

function readBlock({ expect }: Story, block: Block, place: string): void {
  const read = READERS[block.language]
  if (!read) throw new Error(`${place}: nothing checks this \`${block.language}\` block; see CONTRIBUTING.md`)
  expect(() => read(block.text), place).not.toThrow()
}

/** Signing validates: an item of a page is one that a reader could keep. */
async function expectItemsToValidate({ scene, expect }: Story, items: readonly string[]): Promise<void> {
  await scene.run([`unset USER_SPACE; cd '${scene.project}'; rye keys generate`])
  for (const space of ['project', 'user']) {
    const [outcome] = await scene.run([`rye sign '*' --source ${space} --json`])
    const wanted = items.filter(path => path.startsWith('~/') === (space === 'user'))
    if (wanted.length === 0) continue
    const { signed, unchanged, failed } = JSON.parse(outcome!.output)
    expect(failed).toEqual([])
    expect([...signed, ...unchanged]).toEqual(expect.arrayContaining(wanted.map(idOf)))
  }
}

function idOf(path: string): string {
  return path.replace(/^(~\/)?\.ai\/[a-z]+\//, '').replace(/(\/SKILL)?\.[a-z]+$/, '')
}

/** Loosely: runs of blanks are one; a line `...` is any lines, `...` in a line any text. */
function fits(answer: string, expected: string): boolean {
  const lines = tidy(expected).map(line =>
    line === '...' ? '(?:.*\n)*?' : `${line.split('...').map(quoted).join('.*')}\n`,
  )
  return new RegExp(`^${lines.join('')}$`).test(`${tidy(answer).join('\n')}\n`)
}

function tidy(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map(line => line.trim().replaceAll(/\s+/g, ' '))
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function bare(command: string): string {
  return command.replace(/\s+#.*$/, '')
}

function nameOf(page: string, block: Block): string {
  return `${page}: ${block.text.trim().split('\n', 1)[0]}`
}
