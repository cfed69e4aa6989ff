// The permissions that an item asks for, in words. Its author may have written anything, so parts that are
// not understood are shown by their names.
import { isRecord } from '../../base/index.ts'

/** Empty for an item that asks for nothing. */
export function permissionWords(value: unknown): string {
  if (Array.isArray(value)) return joinWords(value.map(permissionWords), ', ')
  if (!isRecord(value)) return value === false || value === null || value === undefined ? '' : String(value)
  // The form in directives: an element with its text.
  const isElement = Object.keys(value).every(name => ['tag', 'content'].includes(name))
  if (isElement && typeof value.content === 'string' && value.tag !== undefined) return value.content
  return joinWords(
    Object.entries(value).map(([name, entry]) => memberWords(name, entry)),
    '; ',
  )
}

function memberWords(name: string, value: unknown): string {
  if (name === 'network' && value === true) return 'any host of the network'
  const words = isRecord(value)
    ? joinWords(
        Object.entries(value).map(([key, entry]) => `${key} ${permissionWords(entry)}`),
        ', ',
      )
    : permissionWords(value)
  if (words === '') return ''
  if (name === 'network') return `the network (${words})`
  if (name === 'write') return `writing to ${words}`
  return value === true ? name : `${name}: ${words}`
}

function joinWords(words: readonly string[], separator: string): string {
  return words.filter(word => word !== '').join(separator)
}
