// Words by which another engine finds documents that may fit a question, to be ranked here: stems, as this engine makes them, names
// and ids. They are written with spaces between them, and taken as they are.
import { idProblem } from '../../item/index.ts'
import type { SearchField } from '../../query/index.ts'
import { compileQuery } from '../match/compile-query.ts'
import type { SearchDocument } from '../text/document.ts'
import { nameKey } from '../text/name-key.ts'
import { stem } from '../text/porter.ts'
import { isStopWord } from '../text/stop-words.ts'
import { visitTokens } from '../text/tokenize.ts'
import { saidNames } from './said-names.ts'
import type { SearchRequest } from './search-request.ts'

/** Fields that say what an item is for; a word in one of them counts as often as this says. */
const SAYING: readonly SearchField[] = ['title', 'name', 'description', 'category', 'tags', 'keywords']
const TIMES = 3
/** Of a text: longer bodies are about more than can be asked for. */
const MAX_TEXT = 100_000
const MOST_WORDS = 4000
const MOST_ASKED = 64

export function indexedWords({ id, name, title, fields }: SearchDocument): string[] {
  const said = new Set<string>()
  const others = new Set<string>()
  for (const field of SAYING) for (const text of fields[field]) addStems(text, said)
  for (const text of [...fields.parameters, ...fields.content]) addStems(text, others)
  const words = [...said].flatMap(word => Array.from({ length: TIMES }, () => word))
  const names = [...new Set([name, title].map(nameWord))]
  return [idWord(id), ...names, ...words, ...[...others].filter(word => !said.has(word))].slice(0, MOST_WORDS)
}

/** Empty for a query that has no words, such as `*`. */
export function askedWords(request: SearchRequest): { stems: string[]; names: string[] } {
  const { leaves } = compileQuery(request.query, request)
  const patterns = leaves.flatMap(({ slots, also = [] }) => [...slots, ...also.flat()])
  const words = patterns.flatMap(pattern => ('word' in pattern ? [pattern.word] : []))
  const plain = words.filter(word => !isStopWord(word))
  const stems = new Set((plain.length > 0 ? plain : words).map(stem))
  const id = request.text.trim()
  const names = new Set([nameWord(id), ...[...saidNames(id, new Set())].map(key => nameWord(key))])
  if (idProblem(id) === undefined) names.add(idWord(id))
  return { stems: [...stems].slice(0, MOST_ASKED), names: [...names].slice(0, MOST_ASKED) }
}

function addStems(text: string, words: Set<string>): void {
  visitTokens(text.slice(0, MAX_TEXT), (token, _position, kind) => {
    if (kind !== 'compound') words.add(stem(token))
  })
}

/** No stem begins with these. */
function nameWord(name: string): string {
  return `=${nameKey(name).replaceAll(' ', '_')}`
}

function idWord(id: string): string {
  return `#${id}`
}
