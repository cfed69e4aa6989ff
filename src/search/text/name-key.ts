// A key for names that differ only in spelling.
import { visitTokens } from './tokenize.ts'

/** Equal for all spellings of a name: `readFile`, `read_file` and `Read file` are `read file`. */
export function nameKey(name: string): string {
  const words: string[] = []
  let isAfterPart = false
  visitTokens(name, (token, _position, kind) => {
    if (kind === 'compound' || kind === 'pair') return
    // The parts of a word come right after it, and replace it.
    if (kind === 'part' && !isAfterPart) words.pop()
    isAfterPart = kind === 'part'
    words.push(token)
  })
  return words.join(' ')
}
