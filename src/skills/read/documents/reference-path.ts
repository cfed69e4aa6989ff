// A reference path names a document of the skill: relative, inside the folder, with a known extension.

const EXTENSIONS = ['md', 'pdf', 'txt', 'html', 'json', 'yaml', 'yml']

/** What is wrong with a reference path; undefined when nothing is. */
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
