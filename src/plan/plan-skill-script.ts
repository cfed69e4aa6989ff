// Plans a run of a skill's script: the chain of its language, with the whole folder as its private copy. The
// caller gives the arguments and standard input of a program, as its author would type them; nothing is
// added.
import { dirname, extname, join } from 'node:path'
import { AppError, callOf, hintWith, type JsonObject, quoteText, sha256Hex } from '../base/index.ts'
import { checkArgument, MAX_ARGUMENT_BYTES } from './invocation/argument-vector.ts'
import { describePrivateCopy } from './invocation/private-copy.ts'
import { NO_SIBLINGS, refusedWith, type VerifiedSkill } from './plan-skill-call.ts'
import { planTool } from './plan-tool.ts'
import type { PrivateArguments } from './private-arguments.ts'
import type { Plan, PlanContext, ProcessInvocation, VerifiedTool } from './types.ts'

export interface SkillScript {
  /** The id of the skill and the path of the script. */
  readonly id: string
  /** Relative to the folder of the skill, like the paths in `files`. */
  readonly path: string
  /** Every file of the skill. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Hosts that it may reach. */
  readonly network: readonly string[]
  /** Packages that it names in its PEP 723 block. */
  readonly dependencies: readonly string[]
}

const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['.py', 'rye/core/runtimes/python/script'],
  ...['.js', '.mjs', '.cjs', '.ts', '.mts'].map(
    extension => [extension, 'rye/core/runtimes/node/node'] as const,
  ),
  ['.sh', 'rye/core/runtimes/bash/bash'],
])

export const SCRIPT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    args: { type: 'array', items: { type: 'string' }, default: [], description: 'Arguments of the script' },
    stdin: { type: 'string', default: '', description: 'Text for its standard input' },
  },
  additionalProperties: false,
}

/** Programs that a `#!` line may name, each with the extension of its language. */
const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:python(?:3(?:\.\d+)?)?|uv)$/, '.py'],
  [/^(?:ba)?sh$/, '.sh'],
  [/^node$/, '.mjs'],
]

/** How many bytes of a file are searched for the `#!` line and the PEP 723 block. */
const MAX_LOOK = 8192
/** The start of a PEP 723 block. */
const PYTHON_BLOCK = /^# \/\/\/ script[ \t]*\r?$/m

/**
 * Whether a file of a skill can be run: by its extension, its `#!` line, or a PEP 723 block, which only
 * Python has.
 */
export function isScript(path: string, bytes: Uint8Array): boolean {
  return languageOf(path, bytes) !== undefined
}

/** The extension of the language that a file is written in. */
function languageOf(path: string, bytes: Uint8Array): string | undefined {
  const extension = extensionOf(path)
  if (RUNTIMES.has(extension)) return extension
  const start = Buffer.from(bytes.subarray(0, MAX_LOOK)).toString('latin1')
  const program = programOf(start)
  if (program !== undefined) return INTERPRETERS.find(([name]) => name.test(program))?.[1]
  return extension === '' && PYTHON_BLOCK.test(start) ? '.py' : undefined
}

/** The program that a `#!` line names, without its folder. */
function programOf(start: string): string | undefined {
  return readShebang(start)?.program
}

/** The program of a `#!` line, and the words after it. */
function readShebang(start: string): { program: string; flags: readonly string[] } | undefined {
  const line = /^#!([^\n]{1,200})/.exec(start)?.[1]
  const words = line?.trim().split(/\s+/) ?? []
  const names = words.map(word => word.slice(word.lastIndexOf('/') + 1))
  const at = names.findIndex(word => word !== 'env' && !word.startsWith('-') && !word.includes('='))
  return at === -1 ? undefined : { program: names[at]!, flags: words.slice(at + 1) }
}

/**
 * Accepts only flags that change how commands are run. A word that is not a flag would be taken as the
 * script, and other flags read the script from standard input or from a file.
 */
function areShellFlags(words: readonly string[]): boolean {
  return words.every((word, index) => {
    if (/^[-+][aefhkmnptuvxBCEHPT]*o$/.test(word)) return words[index + 1] !== undefined
    if (/^[-+][abefhkmnptuvxBCEHPT]+$/.test(word) || word === '--posix') return true
    return /^[a-z]+$/.test(word) && /^[-+][a-zA-Z]*o$/.test(words[index - 1] ?? '')
  })
}

/**
 * A shell gets the flags of the `#!` line, because `-e` changes what the script does. Other runtimes have
 * flags of their own.
 */
function flagsOf(
  language: string,
  bytes: Uint8Array,
): { flags: readonly string[]; notes: readonly string[] } {
  const first = readShebang(Buffer.from(bytes.subarray(0, MAX_LOOK)).toString('latin1'))
  if (first === undefined) return { flags: [], notes: [] }
  const named = INTERPRETERS.find(([name]) => name.test(first.program))?.[1]
  if (named === undefined || RUNTIMES.get(named) !== RUNTIMES.get(language)) {
    const used = RUNTIMES.get(language)!.split('/').at(-2)!
    return {
      flags: [],
      notes: [`its \`#!\` line names ${quoteText(first.program, 40)}; by its name it is run with ${used}`],
    }
  }
  if (first.flags.length === 0 || first.program === 'uv') return { flags: [], notes: [] }
  if (language === '.sh' && /^(?:ba)?sh$/.test(first.program) && areShellFlags(first.flags))
    return { flags: first.flags, notes: [] }
  return {
    flags: [],
    notes: [`its \`#!\` line asks for ${quoteText(first.flags.join(' '), 80)}, which is not passed on`],
  }
}

export async function planSkillScript(
  skill: VerifiedSkill,
  script: SkillScript,
  given: JsonObject,
  context: PlanContext,
): Promise<Plan> {
  const { id, path, files, network } = script
  const bytes = files.get(path)!
  const language = languageOf(path, bytes)
  const runtime = RUNTIMES.get(language ?? '')
  if (language === undefined || runtime === undefined) throw noScript(script)
  const checked = context.schemas.validate(id, SCRIPT_SCHEMA, given, context.matchesPattern)
  const parameters = await refusedWith('a script takes `args`, a list of texts, and `stdin`, a text', checked)
  const uv = script.dependencies.length === 0 ? undefined : await findUv(context)
  const tool: VerifiedTool = {
    ...skill,
    id,
    path: join(dirname(skill.path), path),
    extension: language,
    bytes,
    digest: sha256Hex(bytes),
    metadata: {
      tool_type: 'skill',
      executor_id: runtime,
      config: { permissions: { network: [...network, ...(uv === undefined ? [] : PACKAGE_HOSTS)] } },
    },
    diagnostics: [],
  }
  const plan = await planTool(tool, {}, { ...context, siblings: NO_SIBLINGS })
  const { invocation } = plan
  if (invocation.kind !== 'process') throw new Error(`unreachable: ${runtime} does not start a process`)
  const copied = [...files].map(([name, content]) => ({
    path: name,
    bytes: content,
    digest: sha256Hex(content),
    isData: !isBeside(name, path),
  }))
  const privateCopy = describePrivateCopy(copied, context.copiesRoot, path)
  const program = join(privateCopy.directory, path)
  const args = argumentsOf(parameters)
  const { flags, notes } = flagsOf(language, bytes)
  return {
    ...plan,
    notes: [...plan.notes, ...notes],
    parameters,
    invocation: {
      ...invocation,
      ...(uv === undefined
        ? startOf(invocation, [...flags, program], { args, moduleRoot: privateCopy.directory })
        : startWithUv(uv, invocation, {
            program,
            args,
            owner: `${plan.projectPath}\0${privateCopy.digest}`,
          })),
      stdin: String(parameters.stdin),
      privateCopy,
      origin: { copy: privateCopy.directory, original: dirname(skill.path) },
    },
  }
}

/** Whether a file may be part of the program. Files in other folders of the skill are just read. */
function isBeside(name: string, script: string): boolean {
  const top = script.slice(0, script.indexOf('/') + 1)
  return name.startsWith(top)
}

/** Where uv fetches packages from by default. */
const PACKAGE_HOSTS = ['pypi.org', 'files.pythonhosted.org']

async function findUv({
  scriptPackages,
  findInterpreter,
  projectPath,
}: PlanContext): Promise<string | undefined> {
  if (scriptPackages === 'refuse') return undefined
  return findInterpreter({ files: [], names: ['uv'], command: null, outside: projectPath })
}

/** Uses the runtime's Python with the script's packages. The project's configuration of uv is ignored. */
function startWithUv(
  uv: string,
  { command: python }: ProcessInvocation,
  { program, args, owner }: { program: string; args: readonly string[]; owner: string },
): Pick<ProcessInvocation, 'command' | 'args' | 'privateArgs' | 'packageOwner'> {
  const options = ['--quiet', '--no-project', '--no-config', '--no-python-downloads', '--python', python]
  return {
    command: uv,
    args: ['run', ...options, '--script', program, ...args],
    privateArgs: null,
    packageOwner: owner,
  }
}

/**
 * Hides the arguments from lists of processes if the runtime can. Python also looks for modules in the folder
 * of the skill, from which many authors start their scripts: `python -m scripts.fill`.
 */
function startOf(
  { privateArgs }: ProcessInvocation,
  start: readonly string[],
  own: Pick<PrivateArguments, 'args' | 'moduleRoot'>,
): Pick<ProcessInvocation, 'args' | 'privateArgs'> {
  if (privateArgs === null) return { args: [...start, ...own.args], privateArgs }
  return { args: start, privateArgs: { ...privateArgs, ...own } }
}

function argumentsOf({ args }: JsonObject): string[] {
  // The schema allows nothing but a list of strings.
  const list = (args as string[]).map((argument, index) => checkArgument(argument, `args[${index}]`))
  const bytes = list.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0)
  if (bytes <= MAX_ARGUMENT_BYTES) return list
  throw new AppError(
    'PARAMETERS_INVALID',
    `expected args of at most ${MAX_ARGUMENT_BYTES} bytes, got ${bytes}`,
    {
      hint: 'pass large values in `stdin`',
    },
  )
}

function noScript({ id, path, files }: SkillScript): AppError {
  const program = programOf(Buffer.from(files.get(path)!.subarray(0, MAX_LOOK)).toString('latin1'))
  const named = program === undefined ? '' : `, whose first line names ${quoteText(program, 40)}`
  return new AppError(
    'CHAIN_INVALID',
    `expected a script (${[...RUNTIMES.keys()].join(', ')}, or a \`#!\` line with python3, uv, sh, bash or node), got \`${id}\`${named}`,
    {
      hint: hintWith('read it with ', callOf('load', { item_id: `skill:${id}` })),
    },
  )
}

function extensionOf(path: string): string {
  return extname(path).toLowerCase()
}
