// Reads descriptions of parameters from an `Args:` section, in the usual styles: `name: text`,
// `name (type): text`, and bullets `- name: type - text`. Only the name of a real parameter starts an entry,
// so a list inside a description stays part of it. One pass over the lines.

const SECTION = /^(?:args|arguments|parameters|params)[ \t]*:$/i
const OTHER_SECTION =
  /^(?:returns?|yields?|raises?|examples?|notes?|warnings?|usage|see also|attributes|todo)[ \t]*:/i
const ENTRY =
  /^([-*•][ \t]+)?`?\*{0,2}([A-Za-z_]\w*)`?[ \t]*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?[ \t]*:(.*)$/
const DASH = /[ \t]+[-–—]+[ \t]+/
const TYPE_WORDS = new Set(
  'str string int integer float number bool boolean list dict tuple set array object any none bytes path optional union literal sequence mapping iterable'.split(
    ' ',
  ),
)
const MAX_LINE = 2000

export interface DocumentedParameter {
  readonly name: string
  /** The annotation as written, to tell a type from the first word of a description. */
  readonly annotation: string | undefined
}

export function readArgumentDocs(
  text: string,
  parameters: readonly DocumentedParameter[],
): Map<string, string> {
  const known = new Map(parameters.map(parameter => [parameter.name, parameter]))
  const docs = new Map<string, string>()
  const lines = text.split('\n')
  const start = lines.findIndex(line => SECTION.test(line.trim()))
  if (start === -1) return docs
  const base = indentOf(lines[start]!)
  let current: { name: string; indent: number; parts: string[] } | undefined
  // After an entry that is indented deeper than the heading, a line that is not starts another section.
  let isIndented = false
  const finish = () => {
    const description = current?.parts.filter(part => part !== '').join(' ')
    if (current && description && !docs.has(current.name)) docs.set(current.name, description)
    current = undefined
  }
  for (const line of lines.slice(start + 1)) {
    const content = line.trim()
    if (content === '') continue
    const indent = indentOf(line)
    const [, bullet, name, , rest] = ENTRY.exec(content.slice(0, MAX_LINE)) ?? []
    if (indent <= base && (OTHER_SECTION.test(content) || isIndented || (base > 0 && !bullet))) break
    const parameter = name === undefined ? undefined : known.get(name)
    if (parameter && rest !== undefined && (current === undefined || indent <= current.indent)) {
      finish()
      isIndented ||= indent > base
      current = { name: parameter.name, indent, parts: [withoutType(rest.trim(), parameter)] }
    } else if (current && indent > current.indent) current.parts.push(content)
    else finish()
  }
  finish()
  return docs
}

/** `str - The message` → `The message`; a dash inside a word or a sentence stays. */
function withoutType(text: string, parameter: DocumentedParameter): string {
  const dash = DASH.exec(text.slice(0, MAX_LINE))
  if (!dash) return isType(text, parameter) ? '' : text
  return isType(text.slice(0, dash.index), parameter) ? text.slice(dash.index + dash[0].length).trim() : text
}

function isType(text: string, { annotation }: DocumentedParameter): boolean {
  const bare = text
    .split('=', 1)[0]!
    .replace(/,?[ \t]*\(?\b(?:optional|required)\b\)?[ \t]*$/i, '')
    .trim()
  if (bare === '' || bare.length > 200) return false
  if (annotation !== undefined && bare === annotation) return true
  const words = bare.split(/[^\w.]+/).filter(word => word !== '')
  const [first] = words
  if (first === undefined || !TYPE_WORDS.has(first.toLowerCase())) return false
  return words.length === 1 || /[[|,]/.test(bare)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
