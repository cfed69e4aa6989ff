// A reference path leads to a document of the skill: relative, inside the folder, of a kind that can be read.

const EXTENSIONS = ['md', 'pdf', 'txt', 'html', 'json', 'yaml', 'yml']

/** Why a text is no reference path, or undefined when it is one. */
export function referencePathProblem(path: string): string | undefined {
  if (path.trim() === '') return 'expected a path, got nothing'
  if (/^(?:[/\\]|[A-Za-z]:)/.test(path)) return 'expected a relative path, got an absolute one'
  if (/[\\\p{Cc}]/u.test(path)) return 'backslashes and control characters are not allowed'
  const segments = path.split('/')
  if (segments.some(segment => segment === '' || segment === '..')) return 'expected a path inside the skill'
  const name = segments.at(-1)!
  const dot = name.lastIndexOf('.')
  if (dot > 0 && EXTENSIONS.includes(name.slice(dot + 1))) return undefined
  return `expected one of ${EXTENSIONS.map(extension => `.${extension}`).join(' ')}`
}
