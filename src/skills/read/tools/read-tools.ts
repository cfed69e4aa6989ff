// Reads the tools in `scripts/**/*.py`. Files are parsed, never run; a broken statement hides only itself.
import { type JsonObject, quoteText, sha256Hex } from '../../../base/index.ts'
import {
  cleanDocstring,
  decodeText,
  type PythonFunction,
  type PythonParameter,
  readPythonFunctions,
} from '../../../parse/index.ts'
import { withoutRepeats } from '../documents/fields.ts'
import type { FileReport, Place } from '../file-report.ts'
import type {
  DecoratorArgs,
  ExecutionMode,
  ParsedParameter,
  SkillMetadata,
  ToolAnnotations,
  ToolRecord,
} from '../records.ts'
import { inferAnnotations } from './annotations.ts'
import { readArgumentDocs } from './argument-docs.ts'
import { inferCategory } from './category.ts'
import { type Declaration, findDecoratorNames, readDeclaration, type ToolKind } from './decorator.ts'
import { isInjected, isProjectRoot } from './injected.ts'
import { buildInputSchema } from './input-schema.ts'

/** A tool as its script declares it; the references that describe it are linked once all skills are read. */
export interface DeclaredTool {
  readonly kind: ToolKind
  readonly record: ToolRecord
  readonly inputSchema: JsonObject
  readonly decorator: DecoratorArgs
  /** All parameters of the signature, including `*args` and injected ones. */
  readonly parsedParameters: readonly ParsedParameter[]
  /** Positional-only parameters, in order. */
  readonly positionalOnly: readonly string[]
  /** Injected parameters that take the project's directory. */
  readonly rootParameters: readonly string[]
  readonly place: Place
}

/** False for methods, nested functions and functions defined again: their module has none of them by name. */
export function isCallable({ record }: DeclaredTool): boolean {
  return record.execution_mode !== 'script'
}

export interface ScriptFile {
  readonly metadata: SkillMetadata
  /** From the scanned root. */
  readonly filePath: string
  readonly bytes: Uint8Array
}

/** The name of a tool that can be called. */
export const ROUTABLE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,159}$/

export async function readTools(file: ScriptFile, report: FileReport): Promise<DeclaredTool[]> {
  const { text, diagnostics } = decodeText(file.bytes)
  if (text === undefined) {
    report.add(diagnostics)
    return []
  }
  const names = findDecoratorNames(text)
  if (names === undefined) return []
  const read = await readPythonFunctions(text)
  report.add(read.diagnostics)
  const hash = sha256Hex(file.bytes)
  const kept = new Map(read.functions.map(found => [found.qualifiedName, found]))
  return read.functions.flatMap(found => {
    const declaration = readDeclaration(found, names, report)
    if (!declaration) return []
    const later = kept.get(found.qualifiedName)
    return describeTool(
      file,
      hash,
      { found, later: later === found ? undefined : later },
      declaration,
      report,
    )
  })
}

/** A function, and a later one of the same name, which is the one that Python keeps. */
interface Defined {
  readonly found: PythonFunction
  readonly later: PythonFunction | undefined
}

function describeTool(
  file: ScriptFile,
  hash: string,
  defined: Defined,
  declaration: Declaration,
  report: FileReport,
): DeclaredTool {
  const { metadata } = file
  const { found } = defined
  const skill = metadata.skill_name
  const { args, kind, injection } = declaration
  const command = commandName(args.name ?? found.name, skill)
  if (!ROUTABLE.test(command))
    report.warning(
      'tool-name',
      `expected a name of letters, digits and \`_.-\`, got ${quoteText(command)}`,
      found,
    )
  const docstring = found.docstring ?? ''
  const written = args.description === null ? '' : cleanDocstring(args.description).trim()
  const signature = callable(found)
  const visible = signature.filter(parameter => !isInjected(parameter, injection))
  const inputSchema = buildInputSchema(
    visible,
    documentation([written, docstring], visible),
    found.parameters.some(parameter => parameter.kind === 'var-keyword'),
  )
  return {
    kind,
    inputSchema,
    decorator: args,
    parsedParameters: found.parameters.map(one => ({
      name: one.name,
      type_annotation: one.annotation?.source ?? null,
      has_default: one.default !== undefined,
      default_value: one.default?.source ?? null,
    })),
    positionalOnly: signature.filter(one => one.kind === 'positional-only').map(one => one.name),
    rootParameters: signature.filter(one => isProjectRoot(one, injection)).map(one => one.name),
    place: { line: found.line, column: found.column },
    record: {
      tool_name: `${skill}.${command}`,
      description: written || docstring || `Execute ${skill}.${command}`,
      skill_name: skill,
      file_path: file.filePath,
      function_name: found.name,
      execution_mode: executionMode(kind, defined, report),
      keywords: withoutRepeats([skill, command, ...metadata.routing_keywords]),
      intents: metadata.intents,
      file_hash: hash,
      input_schema: JSON.stringify(inputSchema),
      docstring,
      category: args.category || (kind === 'resource' ? 'resource' : inferCategory(skill)),
      annotations: annotationsOf(found, declaration, report),
      parameters: signature.map(parameter => parameter.name),
      skill_tools_refers: [],
    },
  }
}

/** A decorator may include the skill's name, which the full name must not repeat. */
function commandName(name: string, skill: string): string {
  return name.startsWith(`${skill}.`) && name.length > skill.length + 1 ? name.slice(skill.length + 1) : name
}

/** Parameters that a caller may pass by name: no `*args`, no `**options`, no `self`. */
function callable(found: PythonFunction): PythonParameter[] {
  const named = found.parameters.filter(one => one.kind !== 'var-positional' && one.kind !== 'var-keyword')
  const isBound = found.scope === 'class' && !found.decorators.some(one => one.name === 'staticmethod')
  return isBound ? named.slice(1) : named
}

/** The decorator's text comes first: it was written for callers. */
function documentation(texts: readonly string[], visible: readonly PythonParameter[]): Map<string, string> {
  const parameters = visible.map(({ name, annotation }) => ({ name, annotation: annotation?.source }))
  const docs = new Map<string, string>()
  for (const text of texts) {
    for (const [name, doc] of readArgumentDocs(text, parameters)) if (!docs.has(name)) docs.set(name, doc)
  }
  return docs
}

function executionMode(kind: ToolKind, { found, later }: Defined, report: FileReport): ExecutionMode {
  if (later) {
    const message = `\`${found.qualifiedName}\` is defined again in line ${later.line}, so it cannot be called by name`
    report.warning('tool-not-callable', message, found)
    return 'script'
  }
  if (found.scope !== 'module') {
    const message = `\`${found.qualifiedName}\` is not at the top level of its module, so it cannot be called by name`
    report.warning('tool-not-callable', message, found)
    return 'script'
  }
  if (kind === 'resource') return 'resource'
  return found.isAsync ? 'async' : 'sync'
}

function annotationsOf(found: PythonFunction, declaration: Declaration, report: FileReport): ToolAnnotations {
  const { annotations: said, kind } = declaration
  if (said.read_only && said.destructive)
    report.warning('annotations-contradict', 'a tool is declared both read-only and destructive', found)
  // A resource is read-only unless declared otherwise.
  const readOnly = said.read_only ?? (kind === 'resource' && said.destructive !== true ? true : null)
  return inferAnnotations(found.name, { ...said, read_only: readOnly })
}
