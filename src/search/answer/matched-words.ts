// Why each hit of a page matched: its matching words by field, and the words that its preview should show.
import { escapeHidden } from '../../base/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'
import { lowestBit } from '../match/bits.ts'
import type { Leaf, Pattern } from '../match/compiled-query.ts'
import { textOf } from '../match/patterns.ts'
import { findMask, type Postings } from '../match/postings/postings.ts'
import type { Hit } from './hit.ts'
import type { OpenSpace, StoredSpace } from './stored-space.ts'

export type Matched = Partial<Record<SearchField, string[]>>

export interface Reason {
  /** The matching words that the answer shows. */
  readonly matched: Matched
  /** For the preview: words as they are in the text, and phrases as words with spaces between them. */
  readonly previewWords: ReadonlySet<string>
}

/** A leaf that counted for the score, and where it was found in each space. */
export interface Evidence {
  readonly leaf: Leaf
  readonly postings: readonly Postings[]
}

/** How many words are shown for each field. A wildcard may have matched hundreds. */
const MAX_MATCHED = 20
/** How many words the preview looks for, for each slot of a leaf with several. */
const MAX_FORMS = 8
/** More than a preview can show. */
const MAX_PREVIEW_WORDS = 32
/**
 * Words checked for every hit, of all patterns together; more are checked only for hits that have none of
 * these.
 */
const FIRST_WORDS = 64

/** Why each hit matched, in the order of the hits. */
export function reasonsOf(
  spaces: readonly OpenSpace[],
  hits: readonly Hit[],
  evidence: readonly Evidence[],
): Reason[] {
  const reasons = hits.map(({ doc }): PageHit => ({ doc, matched: {}, previewWords: new Set() }))
  spaces.forEach(({ reader }, at) => {
    const here = reasons.filter((_, index) => hits[index]!.at === at)
    if (here.length === 0) return
    const first = Math.ceil(FIRST_WORDS / evidence.length)
    for (const { leaf, postings } of evidence) explain(reader, { leaf, first, postings: postings[at]! }, here)
  })
  return reasons
}

interface PageHit extends Reason {
  readonly doc: number
  readonly previewWords: Set<string>
}

/** A leaf in one space. */
interface LeafEvidence {
  readonly leaf: Leaf
  readonly postings: Postings
  /** How many of its words are checked for every hit. */
  readonly first: number
}

function explain(reader: StoredSpace, evidence: LeafEvidence, hits: readonly PageHit[]): void {
  if (evidence.leaf.slots.length > 1) explainPhrase(reader, evidence, hits)
  else explainWord(reader, evidence, hits)
}

function explainPhrase(
  reader: StoredSpace,
  { leaf, postings }: LeafEvidence,
  hits: readonly PageHit[],
): void {
  const matching = hits.filter(hit => findMask(postings, hit.doc) !== 0)
  const words = leaf.slots.map(textOf).join(' ')
  for (const hit of matching) addWord(hit.matched, words, findMask(postings, hit.doc))
  if (leaf.near === undefined && leaf.slots.every(slot => slot.kind === 'word'))
    for (const hit of matching) hit.previewWords.add(words)
  else for (const slot of leaf.slots) addPreviewWords(reader, slot, matching)
}

/** When words may be in any order or form, the preview looks for each word as it is in the index. */
function addPreviewWords(reader: StoredSpace, slot: Pattern, hits: readonly PageHit[]): void {
  for (const term of reader.expand(slot).terms.slice(0, MAX_FORMS)) {
    const postings = reader.postings(term)
    for (const hit of hits) if (findMask(postings, hit.doc) !== 0) hit.previewWords.add(reader.wordOf(term))
  }
}

function explainWord(
  reader: StoredSpace,
  { leaf, postings, first }: LeafEvidence,
  hits: readonly PageHit[],
): void {
  const fields = leaf.field === undefined ? 255 : 1 << SEARCH_FIELDS.indexOf(leaf.field)
  const unexplained = new Set(hits.filter(hit => findMask(postings, hit.doc) !== 0))
  const { terms } = reader.expand(leaf.slots[0]!)
  // A few lists are worth caching for the next search; those of a pattern for hundreds of words are not.
  const masksOf = (some: readonly number[], docs: readonly number[]) => {
    if (terms.length > first) return reader.masksOf(some, docs)
    const lists = terms.length === 1 ? [postings] : some.map(term => reader.postings(term))
    return lists.flatMap(list => docs.map(doc => findMask(list, doc)))
  }
  // The first words are reported for every hit, the others only for hits that have none of them.
  for (let start = 0, end = first; start < terms.length; start = end, end += FIRST_WORDS) {
    const asked = start === 0 ? hits : [...unexplained]
    if (asked.length === 0) return
    const some = terms.slice(start, end)
    const masks = masksOf(
      some,
      asked.map(({ doc }) => doc),
    )
    some.forEach((term, row) => {
      asked.forEach((hit, column) => {
        const mask = masks[row * asked.length + column]! & fields
        if (mask === 0 || (start > 0 && !unexplained.has(hit))) return
        const word = reader.wordOf(term)
        addWord(hit.matched, word, mask)
        if (hit.previewWords.size < MAX_PREVIEW_WORDS) hit.previewWords.add(word)
        unexplained.delete(hit)
      })
    })
  }
}

function addWord(matched: Matched, raw: string, mask: number): void {
  const word = escapeHidden(raw, { oneLine: true })
  for (let left = mask; left !== 0; left &= left - 1) {
    const field = SEARCH_FIELDS[lowestBit(left)]!
    const words = matched[field]
    if (words === undefined) matched[field] = [word]
    else if (words.length < MAX_MATCHED && !words.includes(word)) words.push(word)
  }
}
