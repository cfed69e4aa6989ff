// Finds programs fetched into a file, then started: `curl -o f ADDRESS && sh f`, also over several lines.
import { FETCH, INTERPRETER } from './signs.ts'

export interface Download {
  readonly offset: number
  readonly says: string
  readonly place: string
}

const COMMAND = new RegExp(String.raw`\b${FETCH}[^\n;&|]{0,600}`, 'gi')
const OUTPUT =
  /(?:\s-[a-zA-Z]{0,6}[oO]|--output(?:-document)?|-OutFile|>)[\s=]{0,3}["']?(?<name>[^\s"';&|>]{1,200})/g
const ADDRESS = /\bhttps?:\/\/[^\s"'<>)\]]{1,500}/i
const RUNS = new RegExp(
  String.raw`^[\s$>({"'${'`'}-]{0,80}(?:(?:then|do|sudo|exec|env|time|nohup)\s{1,9}){0,9}(?:${INTERPRETER}|source\b|\.\s|chmod\s+\S*(?:x|7)|start\b|open\b)`,
  'i',
)
const LOOK_AHEAD = 3000
const MOST_DOWNLOADS = 200

export function findDownloads(text: string): Download[] {
  const found: Download[] = []
  let seen = 0
  for (const { index, 0: command } of text.matchAll(COMMAND)) {
    seen += 1
    if (seen > MOST_DOWNLOADS) {
      const says = `fetches more than ${MOST_DOWNLOADS} things: what becomes of the rest was not looked at`
      return [...found, { offset: index, says, place: command }]
    }
    const { saved, printed } = fetchedNames(command)
    if (saved.length === 0 && printed === undefined) continue
    const after = text.slice(index + command.length, index + command.length + LOOK_AHEAD)
    const run = after
      .split(/[\n;&|]+/)
      .find(
        step =>
          saved.some(name => isRun(step, name)) || (printed !== undefined && isRun(step, printed, 'plainly')),
      )
    if (run !== undefined)
      found.push({
        offset: index,
        says: 'fetches a program and runs it',
        place: `${command.trim()} ... ${run.trim()}`,
      })
  }
  return found
}

interface Fetched {
  /** Files that the download is written to. */
  readonly saved: readonly string[]
  /** The end of the address, if the answer is only printed. Mostly a word like `messages`, not a file. */
  readonly printed?: string
}

const PRINTS = /^(?:curl|iwr|irm|Invoke-\w+)\b|^fetch\s*\(/i
const KEEPS_NAME = /\s(?:-[a-zA-Z]{0,6}O|--remote-name(?:-all)?)\b/

function fetchedNames(command: string): Fetched {
  const [address = ''] = ADDRESS.exec(command) ?? []
  const last =
    address
      .replace(/[?#].*$/, '')
      .split('/')
      .slice(3)
      .at(-1) ?? ''
  const named = Array.from(command.matchAll(OUTPUT), ({ groups }) => groups!.name!.split('/').at(-1)!)
  const isName = (name: string) => name.length > 0 && name !== '-' && !/^(?:null|https?:)/.test(name)
  if (named.some(isName) || !PRINTS.test(command) || KEEPS_NAME.test(command))
    return { saved: [...named, last].filter(isName) }
  return { saved: [], ...(isName(last) && { printed: last }) }
}

/** `plainly`: only by an interpreter or by a path. */
function isRun(step: string, name: string, plainly?: 'plainly'): boolean {
  const at = step.indexOf(name)
  const after = at === -1 ? '' : step.slice(at + name.length)
  if (at === -1 || /^[\w.-]/.test(after)) return false
  if (RUNS.test(step)) return true
  // A JSON or YAML key begins a line like a command does.
  if (/^["']?\s{0,9}[:=,]/.test(after)) return false
  const before = step.slice(0, at)
  return plainly
    ? /^[\s$>"']*(?:\.{0,2}\/|~\/)[\w./~-]*$/.test(before)
    : /^[\s$>"']*(?:\.{0,2}\/|~\/)?[\w./~-]*$/.test(before)
}
