// Guesses which siblings a file uses from the names in its text. Each superfluous one costs a verification; a
// missing one breaks the tool.

/** Whether the text may refer to this sibling. */
export type NamesSibling = (fileName: string) => boolean

/** Files that make a folder a package, for the runtimes that come with us. */
export const PACKAGE_MARKERS: readonly string[] = ['__init__.py', 'pyproject.toml', 'package.json']

const PYTHON = /\.py$/
const NODE = /\.[cm]?[jt]s$/

/** In JavaScript and Python an import is recognised by its syntax. In anything else every word counts. */
export function siblingNames(path: string, bytes: Uint8Array): NamesSibling {
  const text = Buffer.from(bytes).toString('latin1')
  if (!PYTHON.test(path) && !NODE.test(path)) {
    const words = new Set([...wordsOf(text), ...(text.match(/[\w-]+/g) ?? [])])
    return fileName => words.has(stemOf(fileName))
  }
  const { files, stems } = importsIn(path, text)
  return fileName => files.has(fileName) || stems.has(stemOf(fileName))
}

/**
 * `files` are file names in the text. `stems` are names without extension where something is imported or
 * quoted, whatever the language.
 */
export function importsIn(path: string, text: string): { files: Set<string>; stems: Set<string> } {
  return {
    files: new Set(text.match(/[\w.-]+/g)),
    stems: new Set([...quotedNames(text), ...(PYTHON.test(path) ? importedNames(text) : [])]),
  }
}

/** `'./name'`, `"name.js"`. Quotes are not paired, because a comment may contain a lone apostrophe. */
function quotedNames(text: string): string[] {
  const found = text.match(/(?<=['"`](?:\.\/)?)[\w-][\w.-]*(?=['"`])/g) ?? []
  return found.flatMap(name => [name, stemOf(name)])
}

/** The words of lines with `import`. */
function importedNames(text: string): string[] {
  const lines = text.replaceAll(/\\\r?\n/g, ' ').match(/^.*\bimport\b.*$/gm) ?? []
  return lines.flatMap(wordsOf)
}

function wordsOf(text: string): string[] {
  return text.match(/\w+/g) ?? []
}

function stemOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot <= 0 ? path : path.slice(0, dot)
}
