// `node bench/debian-questions.mjs FOLDER`: makes two judged sets from what Debian publishes, to measure
// ranking on texts it was not tuned on. Items are packages, described by Debian's maintainers. Questions are
// what the authors of the programs say about them in their own metadata, without the name: one line each in
// `FOLDER/summaries`, a paragraph in `FOLDER/paragraphs`. The right answer is the package.
// Next: `rye eval FOLDER/summaries` and, for the reference, `node bench/retrieval.mjs FOLDER/summaries`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { load } from 'js-yaml'

const ARCHIVE = 'http://deb.debian.org/debian/dists/bookworm/main'
/** Of the packages without such metadata, one in this many becomes an item too, as a distractor. */
const EVERY = 15

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('expected a folder to write to: node bench/debian-questions.mjs FOLDER')
  process.exit(2)
}
const packages = readPackages(unpackXz(await download('i18n/Translation-en.xz')))
const programs = readPrograms(gunzipSync(await download('dep11/Components-amd64.yml.gz')).toString())
const described = new Set(programs.map(program => program.name))
const items = [...packages.values()].filter(({ id }, at) => described.has(id) || at % EVERY === 0)

writeSet('summaries', program => program.summary)
writeSet('paragraphs', program => program.paragraph)

/**
 * Packages by name. `Description-en` has a short line, then an indented text in which a lone dot is an empty
 * line.
 */
function readPackages(text) {
  const found = new Map()
  for (const entry of text.split('\n\n')) {
    const id = /^Package: (.+)$/m.exec(entry)?.[1]
    const [, description, body] = /^Description-en: (.*)\n((?: .*\n?)*)/m.exec(entry) ?? []
    if (id && description) found.set(id, { id, title: id, description, text: body.replace(/^ \.?/gm, '') })
  }
  return found
}

function readPrograms(text) {
  return text.split('\n---\n').flatMap(entry => {
    if (!/^Type: (desktop|console)-application$/m.test(entry)) return []
    const { Package: name, Name, Summary, Description } = load(entry)
    if (!packages.has(name) || !Summary?.C) return []
    const paragraph = plain(Description?.C?.split('</p>')[0] ?? '').slice(0, 400)
    return [{ name, called: [name, Name?.C].filter(Boolean), summary: Summary.C, paragraph }]
  })
}

function writeSet(name, textOf) {
  const questions = programs
    .filter(program => isNew(textOf(program), packages.get(program.name)))
    .map((program, at) => ({
      id: String(at),
      text: withoutName(textOf(program), program),
      answer: program.name,
    }))
  const target = join(folder, name)
  mkdirSync(target, { recursive: true })
  const write = (file, rows) => writeFileSync(join(target, file), rows.map(row => `${row}\n`).join(''))
  write(
    'corpus.jsonl',
    items.map(item => JSON.stringify(item)),
  )
  write(
    'queries.jsonl',
    questions.map(({ id, text }) => JSON.stringify({ id, text })),
  )
  write(
    'qrels.tsv',
    questions.map(({ id, answer }) => `${id}\t${answer}\t1`),
  )
  console.log(`${target}: ${questions.length} questions, ${items.length} items`)
}

/** Whether the text is worth asking: one that a maintainer copied word for word is not. */
function isNew(text, { description, text: body }) {
  const words = wordsOf(text)
  return words !== '' && words !== wordsOf(description) && !wordsOf(body).includes(words.slice(0, 60))
}

function withoutName(text, { called }) {
  return called.reduce(
    (rest, name) => rest.replaceAll(new RegExp(name.replace(/\W/g, '\\$&'), 'gi'), 'it'),
    text,
  )
}

function wordsOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function plain(markup) {
  return markup.replace(/<[^>]+>|\s+/g, ' ').trim()
}

function unpackXz(bytes) {
  const { stdout, status, error } = spawnSync('xz', ['-dc'], { input: bytes, maxBuffer: 1e9 })
  if (status !== 0)
    throw new Error('expected the program `xz` to unpack the list of packages', { cause: error })
  return stdout.toString()
}

async function download(path) {
  const answer = await fetch(`${ARCHIVE}/${path}`)
  if (!answer.ok) throw new Error(`expected ${ARCHIVE}/${path}, got ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}
