// Tools in four languages, all doing the same: greet somebody. Values are printed as literals of the language.
import type { TemplateFacts } from './facts.ts'

export function pythonTemplate({ name, category, description }: TemplateFacts): string {
  return `"""${description.replaceAll('\\', '/').replaceAll('"', "'")}."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = ${JSON.stringify(category)}
__tool_description__ = ${JSON.stringify(description)}

# Hosts that it may reach, such as "api.example.com"; none, and the network is closed.
CONFIG = {"permissions": {"network": []}}

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "who": {
            "type": "string",
            "description": "Who is greeted",
            "default": "world",
        },
    },
    "additionalProperties": False,
}


def execute(params: dict, project_path: str) -> dict:
    """Runs in a warm worker; may be async. Return a dict with \`success\`."""
    return {"success": True, "greeting": f"hello {params['who']}, from ${name}"}
`
}

export function typescriptTemplate({ name, category, description }: TemplateFacts): string {
  return `// ${description}.

export const __version__ = '1.0.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = ${JSON.stringify(category)}
export const __tool_description__ = ${JSON.stringify(description)}

/** Hosts that it may reach, such as 'api.example.com'; none, and the network is closed. */
export const CONFIG = { permissions: { network: [] } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    who: { type: 'string', description: 'Who is greeted', default: 'world' },
  },
  additionalProperties: false,
} as const

interface Parameters {
  readonly who: string
}

/** Runs in a warm worker. Return an object with \`success\`. */
export async function execute(parameters: Parameters, projectPath: string): Promise<object> {
  return { success: true, greeting: \`hello \${parameters.who}, from ${name}\` }
}
`
}

export function bashTemplate({ name, category, description }: TemplateFacts): string {
  return `#!/usr/bin/env bash
# ${description}.
#
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = ${JSON.stringify(category)}
# __tool_description__ = ${JSON.stringify(description)}
# CONFIG = {"permissions": {"network": []}}
# CONFIG_SCHEMA = {"type": "object", "properties": {"who": {"type": "string", "default": "world"}}}

# Parameters arrive as JSON on standard input; $1 is the project path. JSON on standard output is the answer.
set -euo pipefail
parameters=$(cat)
printf '{"success": true, "tool": "${name}", "received": %s}\\n' "$parameters"
`
}

export function yamlTemplate({ name, category, description }: TemplateFacts): string {
  return `tool_id: ${JSON.stringify(category === '' ? name : `${category}/${name}`)}
tool_type: yaml
version: "1.0.0"
executor_id: rye/core/runtimes/bash/bash
category: ${JSON.stringify(category)}
description: ${JSON.stringify(description)}
parameters:
  - name: who
    type: string
    required: false
    default: world
    description: Who is greeted
config:
  # Shell text; parameters arrive as JSON on standard input.
  command: |
    printf '{"success": true, "received": %s}\\n' "$(cat)"
`
}
