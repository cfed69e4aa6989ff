// A review in lines, for whoever decides: signs of danger first, then what there is.
import { countOf, shortenText } from '../../base/index.ts'
import { permissionWords } from './permission-words.ts'
import type { ItemReview } from './review-item.ts'
import { isDanger } from './signs.ts'

const MOST_LINES = 12
const MOST_LENGTH = 300
const MOST_HOST = 100
/** Nothing that an item asks for is pushed out of sight by what it asks for first. */
const MOST_ASKED = 2000

export function describeReview(review: ItemReview): string[] {
  const { files, programs, commands, hosts, findings, permissions, executor, license, more_findings } = review
  const { unread = [] } = review
  const asked = permissionWords(permissions)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const count = `${countOf(files.length, 'file')}, ${sizeText(size)}`
  return [
    ...few(
      findings.map(
        finding => `${isDanger(finding) ? '!' : '-'} ${finding.path}:${finding.line}: ${finding.message}`,
      ),
      more_findings,
    ),
    count + (license === undefined ? ', no licence' : `, licence: ${license}`),
    ...(unread.length > 0 ? [`no text, and not looked into: ${few(unread).join(', ')}`] : []),
    ...few(programs.map(({ path, language, starts }) => `${path}: ${language}${startsText(starts)}`)),
    ...(commands.length > 0 ? [`tells its reader to run: ${commands.join(', ')}`] : []),
    ...(hosts.length > 0
      ? [`addresses: ${few(hosts.map(host => shortenText(host, MOST_HOST))).join(', ')}`]
      : []),
    ...(asked === '' ? [] : [`asks for: ${asked}`]),
    ...(executor === undefined ? [] : [`runs with: ${executor}`]),
  ].map(line => shortenText(line, /^(?:addresses|asks for): /.test(line) ? MOST_ASKED : MOST_LENGTH))
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function startsText(starts: readonly string[]): string {
  return starts.length === 0 ? '' : `, starts ${starts.join(', ')}`
}

/** `unlisted` is how many there are besides. */
function few(lines: readonly string[], unlisted = 0): string[] {
  const more = Math.max(0, lines.length - MOST_LINES) + unlisted
  return more === 0 ? [...lines] : [...lines.slice(0, MOST_LINES), `and ${more} more`]
}
