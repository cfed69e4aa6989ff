// Templates of tools in four languages, all doing the same: greet somebody, or answer with the parameters
// that were asked for; and one for a tool that runs a command. Values are printed as literals of the
// language.
import type { NewParameter, ParameterType } from '../parameters.ts'
import type { TemplateFacts } from './facts.ts'

const WHO: NewParameter = { name: 'who', type: 'string', required: false, default: 'world' }

interface Property {
  readonly type: ParameterType
  readonly description: string
  readonly default?: NewParameter['default']
}

/** Properties in the form of JSON Schema. */
function propertiesOf(parameters: readonly NewParameter[]): [string, Property][] {
  return parameters.map(({ name, type, default: fallback }) => [
    name,
    {
      type,
      description: name === 'who' ? 'Who is greeted' : `What ${name} is`,
      ...(fallback !== undefined && { default: fallback }),
    },
  ])
}

function requiredOf(parameters: readonly NewParameter[]): string[] {
  return parameters.filter(({ required }) => required).map(({ name }) => name)
}

export function pythonTemplate({ name, category, description, parameters = [WHO] }: TemplateFacts): string {
  const required = requiredOf(parameters)
  const answer = isGreeting(parameters)
    ? `"greeting": f"hello {params['who']}, from ${name}"`
    : '"received": params'
  return `"""${description.replaceAll('\\', '/').replaceAll('"', "'")}."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = ${JSON.stringify(category)}
__tool_description__ = ${JSON.stringify(description)}

# Hosts that it may reach, such as "api.example.com". If empty, the network is closed.
CONFIG = {"permissions": {"network": []}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
${propertiesOf(parameters)
  .map(([key, property]) => `        ${JSON.stringify(key)}: ${pythonLiteral(property)},`)
  .join('\n')}
    },
${required.length > 0 ? `    "required": ${JSON.stringify(required)},\n` : ''}    "additionalProperties": False,
}


def execute(params: dict, project_path: str) -> dict:
    """Runs in a warm worker; may be async. Return a dict with \`success\`."""
    return {"success": True, ${answer}}
`
}

export function typescriptTemplate({
  name,
  category,
  description,
  parameters = [WHO],
}: TemplateFacts): string {
  const required = requiredOf(parameters)
  const answer = isGreeting(parameters)
    ? `greeting: \`hello \${parameters.who}, from ${name}\``
    : 'received: parameters, projectPath'
  return `// ${description}.

export const __version__ = '1.0.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = ${JSON.stringify(category)}
export const __tool_description__ = ${JSON.stringify(description)}

/** Hosts that it may reach, such as 'api.example.com'. If empty, the network is closed. */
export const CONFIG = { permissions: { network: [] } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
${propertiesOf(parameters)
  .map(([key, property]) => `    ${key}: ${scriptLiteral(property)},`)
  .join('\n')}
  },
${required.length > 0 ? `  required: [${required.map(quoted).join(', ')}],\n` : ''}  additionalProperties: false,
} as const

interface Parameters {
${parameters.map(typescriptField).join('\n')}
}

/** Runs in a warm worker. Return an object with \`success\`. */
export async function execute(parameters: Parameters, projectPath: string): Promise<object> {
  return { success: true, ${answer} }
}
`
}

export function bashTemplate({ name, category, description, parameters = [WHO] }: TemplateFacts): string {
  const required = requiredOf(parameters)
  const schema = {
    type: 'object',
    properties: Object.fromEntries(propertiesOf(parameters)),
    ...(required.length > 0 && { required }),
  }
  return `#!/usr/bin/env bash
# ${description}.
#
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = ${JSON.stringify(category)}
# __tool_description__ = ${JSON.stringify(description)}
# CONFIG = {"permissions": {"network": []}}
# CONFIG_SCHEMA = ${JSON.stringify(schema)}

# Parameters arrive as JSON on standard input; $1 is the project path. JSON on standard output is the answer.
set -euo pipefail
parameters=$(cat)
printf '{"success": true, "tool": "${name}", "received": %s}\\n' "$parameters"
`
}

export function yamlTemplate({ name, category, description, parameters = [WHO] }: TemplateFacts): string {
  return `tool_id: ${JSON.stringify(category === '' ? name : `${category}/${name}`)}
tool_type: yaml
version: "1.0.0"
executor_id: rye/core/runtimes/bash/bash
category: ${JSON.stringify(category)}
description: ${JSON.stringify(description)}
${yamlParameters(parameters)}config:
  # Shell text; parameters arrive as JSON on standard input.
  command: |
    printf '{"success": true, "received": %s}\\n' "$(cat)"
`
}

/** A program and its arguments, without a shell: `rye new tool ID --command`. */
export function commandTemplate({ category, description, command: line }: TemplateFacts): string {
  if (!line) throw new Error('unreachable: no command')
  return `tool_type: cli
version: "1.0.0"
executor_id: rye/core/primitives/subprocess
category: ${JSON.stringify(category)}
description: ${JSON.stringify(description)}
${yamlParameters(line.parameters)}config:
  # No shell: each of these is one argument, whatever is put in for {name}.
  command: ${JSON.stringify(line.command)}
  args: [${line.args.map(arg => JSON.stringify(arg)).join(', ')}]
  # Hosts that it may reach, such as "api.example.com". If empty, the network is closed.
  permissions: { network: [] }
`
}

function yamlParameters(parameters: readonly NewParameter[]): string {
  if (parameters.length === 0) return 'parameters: []\n'
  const entries = propertiesOf(parameters).flatMap(
    ([key, { type, description, default: fallback }], index) => [
      `  - name: ${key}`,
      `    type: ${type}`,
      `    required: ${parameters[index]!.required}`,
      ...(fallback === undefined ? [] : [`    default: ${JSON.stringify(fallback)}`]),
      `    description: ${JSON.stringify(description)}`,
    ],
  )
  return `parameters:\n${entries.join('\n')}\n`
}

function isGreeting(parameters: readonly NewParameter[]): boolean {
  return parameters.some(({ name, type }) => name === 'who' && type === 'string')
}

const TYPESCRIPT: Record<ParameterType, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'readonly unknown[]',
  object: 'Readonly<Record<string, unknown>>',
}

function typescriptField({ name, type, required, default: fallback }: NewParameter): string {
  return `  readonly ${name}${required || fallback !== undefined ? '' : '?'}: ${TYPESCRIPT[type]}`
}

function scriptLiteral(property: Property): string {
  const members = Object.entries(property).map(([key, value]) => `${key}: ${quoted(value)}`)
  return `{ ${members.join(', ')} }`
}

function pythonLiteral(property: Property): string {
  const members = Object.entries(property).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)}`,
  )
  return `{${members.join(', ')}}`
}

/** Quoted like the rest of the file. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value)
  return typeof value === 'string' && !/['\\]/.test(text) ? `'${text.slice(1, -1)}'` : text
}
