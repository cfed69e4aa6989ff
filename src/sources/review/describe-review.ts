// A review as lines for the person who decides: signs of danger first, then what the item contains.
import { countOf, shortenText } from '../../base/index.ts'
import { needsLines } from './needs.ts'
import { permissionWords } from './permission-words.ts'
import type { ItemReview } from './review-item.ts'
import { isDanger } from './signs.ts'

const MOST_LINES = 12
const MOST_LENGTH = 300
const MOST_HOST = 100
const MOST_PATH = 100
/** Requests of an item are shown at this length, so that none is pushed out of sight by those before it. */
const MOST_LISTED = 50_000
const NEED =
  /^(?:addresses|asks for|files|secrets|variables|uses the secrets of|reads the settings|runs outside of a sandbox): /
const MOST_FILES = 40

export function describeReview(review: ItemReview): string[] {
  const { files, programs, commands, hosts, findings, permissions, executor, license, more_findings } = review
  const { unread = [], needs = {} } = review
  // Programs that start others come first, so that they are not cut off.
  const starting = [...programs].sort((a, b) => Number(b.starts.length > 0) - Number(a.starts.length > 0))
  const asked = permissionWords(permissions)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const [only] = files
  const count = `${files.length === 1 ? shortenText(only!.path, MOST_PATH) : countOf(files.length, 'file')}, ${sizeText(size)}`
  return [
    ...few(
      findings.map(
        finding => `${isDanger(finding) ? '!' : '-'} ${finding.path}:${finding.line}: ${finding.message}`,
      ),
      { unlisted: more_findings },
    ),
    count + (license === undefined ? ', no licence' : `, licence: ${license}`),
    ...(files.length > 1 ? [`files: ${few(files.map(fileText), { most: MOST_FILES }).join(', ')}`] : []),
    ...(unread.length > 0 ? [`no text, and not looked into: ${few(unread).join(', ')}`] : []),
    ...few(starting.map(({ path, language, starts }) => `${path}: ${language}${startsText(starts)}`)),
    ...(commands.length > 0 ? [`tells its reader to run: ${commands.join(', ')}`] : []),
    ...(hosts.length > 0
      ? [`addresses: ${few(hosts.map(host => shortenText(host, MOST_HOST))).join(', ')}`]
      : []),
    ...(asked === '' ? [] : [`asks for: ${asked}`]),
    ...needsLines(needs),
    ...(executor === undefined ? [] : [`runs with: ${executor}`]),
  ].flatMap(line => {
    const isNeed = NEED.test(line)
    const shown = shortenText(line, isNeed ? MOST_LISTED : MOST_LENGTH)
    return isNeed && line.length > MOST_LISTED
      ? ['! it asks for more than is shown here: read its text', shown]
      : [shown]
  })
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function fileText({ path, size }: ItemReview['files'][number]): string {
  return `${shortenText(path, MOST_PATH)} (${sizeText(size)})`
}

function startsText(starts: readonly string[]): string {
  return starts.length === 0 ? '' : `, starts ${starts.join(', ')}`
}

interface Few {
  readonly most?: number
  /** How many more there are that are not in the list. */
  readonly unlisted?: number | undefined
}

function few(lines: readonly string[], { most = MOST_LINES, unlisted = 0 }: Few = {}): string[] {
  const more = Math.max(0, lines.length - most) + unlisted
  return more === 0 ? [...lines] : [...lines.slice(0, most), `and ${more} more`]
}
