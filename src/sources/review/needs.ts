// What a tool would be given besides its permissions, and which parts of it are findings.
import { LineMap, quoteShellWord, shortenText } from '../../base/index.ts'
import { type DeclaredNeeds, declaredNeeds } from '../../plan/index.ts'
import type { Finding } from './findings.ts'

export type ReviewedNeeds = Partial<
  Omit<DeclaredNeeds, 'executor' | 'network' | 'write' | 'limits' | 'faults'>
>

/** Leaves out what it does not ask for. */
export function readNeeds(tool: Parameters<typeof declaredNeeds>[0]): ReviewedNeeds {
  const { executor: _executor, network: _network, write: _write, ...needs } = declaredNeeds(tool)
  const { limits: _limits, faults: _faults, secrets, variables, ...others } = needs
  return {
    ...(secrets.length > 0 && { secrets }),
    ...(variables.length > 0 && { variables }),
    ...others,
  }
}

export interface ReviewedFile {
  readonly path: string
  readonly text: string
}

/** Findings about needs, located in the file that declares them. */
export function findInNeeds({ path, text }: ReviewedFile, needs: ReviewedNeeds): Finding[] {
  const { sets = [], secrets = [], items = [], any_host } = needs
  const choosing = sets.filter(({ chooses_code }) => chooses_code)
  const [given] = [...secrets, ...items.map(item => `the secrets of ${item}`)]
  const sent = any_host ? given : undefined
  if (choosing.length === 0 && sent === undefined) return []
  const lineOf = findLines(text, new Set(['url', ...choosing.map(({ name }) => name)]))
  const findings = choosing.map((set): Finding => {
    const message = `chooses what programs load or run: ${printSet(set, MOST_FOUND)}`
    return { code: 'chooses-code', path, line: lineOf(set.name), message }
  })
  if (sent === undefined) return findings
  const message = `sends what it is given to whichever host its caller names: ${shortenText(sent, MOST_FOUND)}`
  return [{ code: 'sends-secrets', path, line: lineOf('url'), message }, ...findings]
}

/** The line of each word's first occurrence, found in one pass; line 1 for a word that does not occur. */
function findLines(text: string, words: ReadonlySet<string>): (word: string) => number {
  const offsets = new Map<string, number>()
  for (const { 0: word, index } of text.matchAll(/\w+/g))
    if (words.has(word) && !offsets.has(word)) offsets.set(word, index)
  const lines = new LineMap(text)
  return word => lines.position(offsets.get(word) ?? 0).line
}

export function needsLines({
  secrets = [],
  variables = [],
  sets = [],
  items = [],
  settings = [],
  any_host,
  private_addresses,
  starts,
  outside,
}: ReviewedNeeds): string[] {
  const known = new Set(sets.map(({ name }) => name))
  const named = [...variables.filter(name => !known.has(name)), ...sets.map(set => printSet(set, MOST_VALUE))]
  return [
    ...(secrets.length > 0 ? [`secrets: ${secrets.join(', ')}`] : []),
    ...(named.length > 0 ? [`variables: ${named.join(', ')}`] : []),
    ...(items.length > 0 ? [`uses the secrets of: ${items.join(', ')}`] : []),
    ...(settings.length > 0 ? [`reads the settings: ${settings.join(', ')}`] : []),
    ...(any_host ? ['sends its request to whichever host its caller names'] : []),
    ...(private_addresses ? ['may reach addresses of this machine and of private networks'] : []),
    ...(starts === undefined ? [] : [`starts: ${starts}`]),
    ...(outside === undefined ? [] : [`runs outside of a sandbox: ${outside}`]),
  ]
}

const MOST_NAME = 128
const MOST_VALUE = 200
/** A finding has just one line. */
const MOST_FOUND = 120

/** As a shell would set it, so that nothing in a value can look like the next variable. */
function printSet({ name, value }: NonNullable<ReviewedNeeds['sets']>[number], most: number): string {
  return `${quoteShellWord(shortenText(name, MOST_NAME))}=${quoteShellWord(shortenText(value, most))}`
}
