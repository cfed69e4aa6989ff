// Repairs the most common mistakes in front matter that isn't valid YAML: values in quotes or brackets that
// continue at the margin, tabs, and values with colons but no quotes. Repairs change lines but never add or
// remove any, so line numbers stay valid.
import { endOfDelimited } from './matter-lines.ts'

interface Repaired {
  readonly lines: readonly string[]
  /** Where something was repaired; empty when nothing was. */
  readonly places: readonly { readonly line: number; readonly message: string }[]
}

interface LineRepair {
  readonly code: string
  repair(lines: readonly string[]): Repaired
}

/** In the order in which they are tried. Python's readers accept the first mistake, and none the others. */
export const REPAIRS: readonly LineRepair[] = [
  { code: 'value-margin', repair: indentValues },
  { code: 'yaml-tab', repair: replaceTabs },
  { code: 'yaml-unquoted-colon', repair: quoteColons },
]

/** Indents the continuation lines of a value in quotes or brackets further than its key. */
function indentValues(lines: readonly string[]): Repaired {
  const result = [...lines]
  const places: Repaired['places'][number][] = []
  const text = lines.join('\n')
  for (let line = 0, start = 0; line < lines.length; ) {
    const content = lines[line]!
    const [, indent, key, blanks] = /^([ ]*)((?:- )*[^\s:#][^:]*):([ \t]+)(?=["'[{])/.exec(content) ?? []
    const opening = key === undefined ? undefined : start + `${indent}${key}:${blanks}`.length
    const end = opening === undefined ? undefined : endOfDelimited(text, opening, text.length)
    // A value that is never closed swallows the rest of the text.
    if (opening !== undefined && end === undefined) break
    const last = line + (end === undefined ? 0 : text.slice(start, end).split('\n').length - 1)
    let isChanged = false
    for (let inner = line + 1; inner <= last; inner++) {
      const own = /^[ \t]*/.exec(lines[inner]!)![0]
      if (lines[inner] === own || own.length > indent!.length) continue
      result[inner] = ' '.repeat(indent!.length + 1) + lines[inner]!.trimStart()
      isChanged = true
    }
    if (isChanged) {
      const message = `\`${key}\`: expected the continuation of a quoted or bracketed value to be indented, got a line that is not; it is read as if it were`
      places.push({ line, message })
    }
    for (; line <= last; line++) start += lines[line]!.length + 1
  }
  return { lines: result, places }
}

/** Replaces each tab in the indentation with two spaces. */
function replaceTabs(lines: readonly string[]): Repaired {
  const places: Repaired['places'][number][] = []
  let before = -2
  const result = lines.map((line, index) => {
    const indent = /^[ \t]*/.exec(line)![0]
    if (!indent.includes('\t') || indent === line) return line
    const message = 'expected spaces before the line, got a tab; each is read as two spaces'
    if (before !== index - 1) places.push({ line: index, message })
    before = index
    return indent.replaceAll('\t', '  ') + line.slice(indent.length)
  })
  return { lines: result, places }
}

/** Puts quotes around plain values that contain `: ` or end in `:`. */
function quoteColons(lines: readonly string[]): Repaired {
  const places: Repaired['places'][number][] = []
  const result = lines.map((line, index) => {
    const [, opening, key, value] = /^([ \t]*(?:- )?([\w-]+):[ \t]+)(\S.*)$/.exec(line) ?? []
    if (opening === undefined || value === undefined) return line
    if (/^['"[{|>&*!%@`#]/.test(value) || !/:(?: |$)/.test(value)) return line
    const message = `\`${key}\`: a value that contains \`: \` needs quotes; it is read as if it had them`
    places.push({ line: index, message })
    return opening + JSON.stringify(value.trimEnd())
  })
  return { lines: result, places }
}
