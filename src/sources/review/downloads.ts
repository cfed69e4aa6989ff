// A program that is fetched into a file first and started from there: `curl -o f ADDRESS && sh f`, in one line or in several.
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
    const names = fetchedNames(command)
    if (names.length === 0) continue
    const after = text.slice(index + command.length, index + command.length + LOOK_AHEAD)
    const run = after.split(/[\n;&|]+/).find(step => names.some(name => isRun(step, name)))
    if (run !== undefined)
      found.push({
        offset: index,
        says: 'fetches a program and runs it',
        place: `${command.trim()} ... ${run.trim()}`,
      })
  }
  return found
}

/** The file that is named for it, else the one that the address ends with. */
function fetchedNames(command: string): string[] {
  const [address = ''] = ADDRESS.exec(command) ?? []
  const last =
    address
      .replace(/[?#].*$/, '')
      .split('/')
      .slice(3)
      .at(-1) ?? ''
  const named = Array.from(command.matchAll(OUTPUT), ({ groups }) => groups!.name!.split('/').at(-1)!)
  return [...named, last].filter(name => name.length > 0 && name !== '-' && !/^(?:null|https?:)/.test(name))
}

function isRun(step: string, name: string): boolean {
  const at = step.indexOf(name)
  if (at === -1 || /[\w.-]/.test(step[at + name.length] ?? '')) return false
  return RUNS.test(step) || /^[\s$>"']*(?:\.{0,2}\/|~\/)?[\w./~-]*$/.test(step.slice(0, at))
}
