// Cuts the lists of a skill in the answer of `execute` to a useful length: what is left out is counted, and
// `load` names every file. Pure.
import { type Caller, callOf, type Hint, hintWith, printHint } from '../../../base/index.ts'
import type { SkillAnswer } from './answer.ts'

type Lists = Pick<SkillAnswer, 'tools' | 'references' | 'files'>

/** Maximum entries of each list. */
const MOST = 100

export interface ListsRequest {
  /** The name of the skill, as `load` takes it. */
  readonly name: string
  /** The text of the answer, which names the files that it links to. */
  readonly content: string
  readonly caller: Caller
}

/**
 * If there are many files, those that can be run have priority, and others that the text or the references
 * name are not listed again.
 */
export function shortenLists(
  { name, content, caller }: ListsRequest,
  { tools, references, files }: Lists,
): Lists & Pick<SkillAnswer, 'left_out' | 'hint'> {
  const named = namesIn(content)
  const shownReferences = pick(references, one => Number(named.has(one.item_id)))
  const told = new Set([...named, ...shownReferences.map(one => one.item_id)])
  const others = files.length <= MOST ? files : files.filter(one => one.program || !told.has(one.item_id))
  const shownFiles = pick(others, one => Number(!one.program))
  const shownTools = pick(tools, () => 0)
  const leftOut = {
    tools: tools.length - shownTools.length,
    references: references.length - shownReferences.length,
    files: files.length - shownFiles.length,
  }
  const lists = { tools: shownTools, references: shownReferences, files: shownFiles }
  if (leftOut.tools + leftOut.references + leftOut.files === 0) return lists
  const hints: Hint[] = []
  if (leftOut.tools > 0)
    hints.push(
      `${tools.length} functions are too many to list here: the scripts among its files define the others, and \`load\` shows a script`,
    )
  if (leftOut.references + leftOut.files > 0)
    hints.push(
      hintWith(
        `${files.length} files are too many to list here: `,
        callOf('load', { item_id: name, view: 'summary' }),
        ` names them all, and \`${name}/PATH\` is one of them`,
      ),
    )
  const hint = hints.map(one => printHint(one, caller)).join('; ')
  return { ...lists, left_out: leftOut, hint }
}

/** The entries of lowest rank, in their original order. */
function pick<Entry>(entries: readonly Entry[], rankOf: (entry: Entry) => number): readonly Entry[] {
  if (entries.length <= MOST) return entries
  const ranked = entries.map((entry, index) => ({ entry, index, rank: rankOf(entry) }))
  return ranked
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .slice(0, MOST)
    .sort((a, b) => a.index - b.index)
    .map(({ entry }) => entry)
}

/**
 * Names of files in a text, without headings. A name with blanks is not found, and so may be listed twice.
 */
function namesIn(content: string): Set<string> {
  return new Set(Array.from(content.matchAll(/\bskill:[^\s#<>()"'`]+/g), ([found]) => found))
}
