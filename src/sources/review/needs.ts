// What a tool would be given besides its permissions, and what of it a reviewer stops at.
import { LineMap, quoteShellWord, shortenText } from '../../base/index.ts'
import { type DeclaredNeeds, declaredNeeds } from '../../plan/index.ts'
import type { Finding } from './findings.ts'

export type ReviewedNeeds = Partial<
  Omit<DeclaredNeeds, 'executor' | 'network' | 'write' | 'limits' | 'faults'>
>

/** Without what it does not ask for. */
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

/** In the file that declares them. */
export function findInNeeds({ path, text }: ReviewedFile, needs: ReviewedNeeds): Finding[] {
  const { sets = [], secrets = [], items = [], any_host } = needs
  const lines = new LineMap(text)
  const lineOf = (word: string) => lines.position(Math.max(0, text.indexOf(word))).line
  const findings = sets.flatMap((set): Finding[] => {
    const message = `chooses what programs load or run: ${printSet(set, MOST_FOUND)}`
    return set.chooses_code ? [{ code: 'chooses-code', path, line: lineOf(set.name), message }] : []
  })
  if (!any_host || (secrets.length === 0 && items.length === 0)) return findings
  const [given] = secrets.length > 0 ? secrets : items.map(item => `the secrets of ${item}`)
  const message = `sends what it is given to whichever host its caller names: ${shortenText(given!, MOST_FOUND)}`
  return [{ code: 'sends-secrets', path, line: lineOf('url'), message }, ...findings]
}

export function needsLines({
  secrets = [],
  variables = [],
  sets = [],
  items = [],
  settings = [],
  any_host,
  private_addresses,
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
    ...(outside === undefined ? [] : [`runs outside of a sandbox: ${outside}`]),
  ]
}

const MOST_NAME = 128
const MOST_VALUE = 200
/** Of a finding there is one line. */
const MOST_FOUND = 120

/** As a shell would set it, so that nobody takes what is in a value for the next one. */
function printSet({ name, value }: NonNullable<ReviewedNeeds['sets']>[number], most: number): string {
  return `${quoteShellWord(shortenText(name, MOST_NAME))}=${quoteShellWord(shortenText(value, most))}`
}
