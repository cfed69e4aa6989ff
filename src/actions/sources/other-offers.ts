// Lists what a source has besides items, each with the command that would bring it: settings of MCP servers,
// and plugins and skills from elsewhere. It is only listed, because a server is a program to start, and
// another source needs its own review.
import { AppError, flattenText, isRecord, quoteShellWord } from '../../base/index.ts'
import type { SourceTree } from '../../sources/index.ts'
import { readClientJson } from '../servers/client-file.ts'

export interface OtherOffer {
  readonly kind: 'server' | 'plugin' | 'skill'
  readonly name: string
  /** The file that names it. */
  readonly from: string
  /** A command for a person to type. */
  readonly command: string
}

const SERVER_FILES =
  /(?:^|\/)(?:\.mcp\.json|\.cursor\/mcp\.json|\.vscode\/mcp\.json|claude_desktop_config\.json)$/
const MARKETPLACE = /(?:^|\/)\.claude-plugin\/marketplace\.json$/
const SKILLS_LOCK = /(?:^|\/)skills-lock\.json$/
const MOST_FILES = 20
const MOST_BYTES = 1_000_000
const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[\w.-]+$/

/** Leaves out what cannot be read. */
export async function findOtherOffers(tree: SourceTree): Promise<OtherOffer[]> {
  const isNamed = (path: string) => [SERVER_FILES, MARKETPLACE, SKILLS_LOCK].some(form => form.test(path))
  const files = tree.files
    .filter(({ path, size }) => isNamed(path) && size <= MOST_BYTES)
    .slice(0, MOST_FILES)
  const contents = await tree.read(files.map(({ path }) => path))
  return [...contents].flatMap(([path, bytes]) => {
    const text = Buffer.from(bytes).toString('utf8')
    if (SERVER_FILES.test(path)) return serversIn(path, text)
    return MARKETPLACE.test(path) ? pluginsIn(path, text) : skillsIn(path, text)
  })
}

function serversIn(from: string, text: string): OtherOffer[] {
  try {
    return readClientJson(text, from).servers.map(({ name, input }) => {
      const words =
        'command' in input && input.command !== undefined
          ? ['--', input.command, ...(input.args ?? [])]
          : ['--url', input.url ?? '']
      const command = ['rye mcp add', name, ...words.map(quoteShellWord)].join(' ')
      return { kind: 'server', name, from, command: flattenText(command).slice(0, 500) }
    })
  } catch (thrown) {
    if (thrown instanceof AppError) return []
    throw thrown
  }
}

/** Plugins in the source itself are found as skills. */
function pluginsIn(from: string, text: string): OtherOffer[] {
  const { plugins } = parse(text)
  return (Array.isArray(plugins) ? plugins : [])
    .filter(isRecord)
    .flatMap(({ name, source }): OtherOffer[] => {
      const repository = isRecord(source) ? source.repo : undefined
      return offer('plugin', name, from, repository)
    })
}

function skillsIn(from: string, text: string): OtherOffer[] {
  const { skills } = parse(text)
  return Object.entries(isRecord(skills) ? skills : {}).flatMap(([name, entry]) => {
    const source = isRecord(entry) ? entry.source : undefined
    return offer('skill', name, from, source, ` --only ${quoteShellWord(`skill:${name}`)}`)
  })
}

function offer(
  kind: OtherOffer['kind'],
  name: unknown,
  from: string,
  repository: unknown,
  flags = '',
): OtherOffer[] {
  if (typeof name !== 'string' || typeof repository !== 'string' || !REPOSITORY.test(repository)) return []
  return [{ kind, name: flattenText(name).slice(0, 100), from, command: `rye add ${repository}${flags}` }]
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
