// Collects what a call of a skill's tool needs: the files of its scripts, a launcher, and the schema of its
// parameters. The launcher makes packages of the script folders, replaces a decorator that is not installed,
// and passes parameters on by keyword.
import { AppError, type JsonObject, nearest } from '../../base/index.ts'
import { pathFrom, readSkill } from '../read/read-skill.ts'
import type { SkillFolder, ToolRecord } from '../read/records.ts'
import { type DeclaredTool, isCallable } from '../read/tools/read-tools.ts'
import { type SkillTools, toolIds } from '../read/unique-keys.ts'
import { decoratorModules } from './decorator-modules.ts'
import { printLauncher } from './launcher.ts'

export interface SkillCall {
  readonly tool: ToolRecord
  /** To check parameters against. */
  readonly inputSchema: JsonObject
  /** Python source of the launcher, for a worker to compile. */
  readonly source: Uint8Array
  /** The path of the launcher, beside `files`. */
  readonly filename: string
  /** The function of the launcher to call, with the parameters as keywords. */
  readonly functionName: string
  /** The hosts that the skill may reach, as a tool names them. */
  readonly network: readonly string[]
  /** Everything below `scripts/`, from the skill's folder. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[]
}

/** For `skill.tool` or `tool`. Throws `ITEM_NOT_FOUND`, `ITEM_AMBIGUOUS` or `ITEM_MALFORMED`. */
export async function describeSkillCall(folder: SkillFolder, toolName: string): Promise<SkillCall> {
  const skill = await readSkill(folder)
  const wanted = toolName.startsWith(`${skill.name}.`) ? toolName : `${skill.name}.${toolName}`
  const tool = findTool(wanted, skill)
  if (!isCallable(tool)) throw notCallable(wanted, tool, pathFrom(folder, tool.record.file_path))
  const files = [...folder.files].flatMap(([path, bytes]) =>
    bytes && path.startsWith('scripts/') ? [{ path, bytes }] : [],
  )
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const launcher = printLauncher({
    script: pathFrom(folder, tool.record.file_path),
    functionName: tool.record.function_name,
    files: files.map(file => file.path),
    decoratorModules: decoratorModules(files.filter(file => file.path.endsWith('.py'))),
    positionalOnly: tool.positionalOnly,
    rootParameters: tool.rootParameters,
  })
  return {
    tool: tool.record,
    inputSchema: tool.inputSchema,
    source: new TextEncoder().encode(launcher),
    filename: 'rye_skill_call.py',
    functionName: 'rye_call',
    network: namedHosts(skill.metadata.permissions),
    files,
  }
}

/**
 * Finds a tool by its id, by the longer id that it has when its name alone means a skill, or by its name. A
 * name that several callable tools have is ambiguous.
 */
function findTool(wanted: string, skill: SkillTools): DeclaredTool {
  const { tools } = skill
  const ids = toolIds(skill)
  const longIds = toolIds(skill, () => true)
  const found =
    tools.find(tool => ids.get(tool) === wanted) ?? tools.find(tool => longIds.get(tool) === wanted)
  if (found) return found
  const named = tools.filter(tool => tool.record.tool_name === wanted)
  if (named.length === 0)
    throw notFound(
      wanted,
      tools.filter(isCallable).map(tool => ids.get(tool)!),
    )
  const callable = named.filter(isCallable)
  if (callable.length < 2) return callable[0] ?? named[0]!
  const known = callable.map(tool => `\`${ids.get(tool)}\``).join(', ')
  throw new AppError('ITEM_AMBIGUOUS', `several tools are called \`${wanted}\``, {
    hint: `name one: ${known}`,
  })
}

/** The hosts that programs of a skill may reach, as a tool names them. */
export async function hostsOfSkill(folder: SkillFolder): Promise<readonly string[]> {
  return namedHosts((await readSkill(folder)).metadata.permissions)
}

/** `network:api.example.com` names a host; `network:http` and `network:https` are the public web. */
function namedHosts(permissions: readonly string[]): string[] {
  return permissions.flatMap(permission => {
    const host = /^network:(.+)$/.exec(permission)?.[1]
    return host === undefined ? [] : [/^https?$/.test(host) ? '*' : host]
  })
}

function notCallable(wanted: string, { place, record }: DeclaredTool, path: string): AppError {
  return new AppError(
    'ITEM_MALFORMED',
    `\`${wanted}\` is not at the top level of its module, or is defined again further down, so it cannot be called`,
    {
      hint: `define \`${record.function_name}\` (\`${path}\`, line ${place.line}) once, at the top of the file and outside of classes and functions, and sign the skill again`,
    },
  )
}

function notFound(wanted: string, names: readonly string[]): AppError {
  const close = nearest(wanted, names)[0]
  const known = names.length === 0 ? 'the skill has no tools' : `its tools: ${names.slice(0, 20).join(', ')}`
  return new AppError('ITEM_NOT_FOUND', `no tool is called \`${wanted}\``, {
    hint: close ? `did you mean \`${close}\`?` : known,
  })
}
