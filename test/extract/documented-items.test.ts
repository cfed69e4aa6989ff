// One proper item of every documented format passes all rules of the package's extractor.
import { describe, expect, it } from 'vitest'
import { extractItem } from '../../src/extract/extract-item.ts'
import { validateItem } from '../../src/extract/validate-item.ts'
import type { SignedType } from '../../src/item/item-type.ts'
import { systemExtractor } from './system-extractors.ts'

interface Sample {
  readonly type: SignedType
  readonly id: string
  readonly extension: string
  readonly text: string
}

const PYTHON = `#!/usr/bin/env python3
# rye:signed:2026-02-15T07:11:41Z:placeholder:unsigned:unsigned
"""Write a file.

More about it.
"""

import json

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python_function_runtime"
__category__ = "rye/file-system"
__tool_description__ = "Create or replace a file"

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {"file_path": {"type": "string"}},
    "required": ["file_path"],
}


def execute(params: dict, project_path: str) -> dict:
    return {"success": True}
`

const JAVASCRIPT = `// rye:signed:2026-02-15T07:11:41Z:placeholder:unsigned:unsigned
export const __version__ = "1.0.0";
export const __tool_type__ = "javascript";
export const __executor_id__ = "rye/core/runtimes/node/node";
export const __category__ = "utility";
export const __tool_description__ = "Greets somebody";
export const CONFIG_SCHEMA = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
export const ENV_CONFIG = { interpreter: { type: "node", var: "RYE_NODE" } };
export const CONFIG = { timeout: 60 };
`

const SHELL = `#!/bin/bash
# rye:signed:2026-02-15T07:11:41Z:placeholder:unsigned:unsigned
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = "git"
# __tool_description__ = "Shows the state of a working tree"
# CONFIG_SCHEMA = {"type": "object", "properties": {}}
git status
`

const YAML = `# rye:signed:2026-02-04T23:57:39Z:placeholder:unsigned:unsigned
tool_id: category/path/tool_name
tool_type: yaml
version: "1.0.0"
executor_id: rye/core/runtimes/python_script_runtime
category: category/path
description: What the tool is for
parameters:
  - name: wanted
    type: string
    required: true
  - name: optional
    type: integer
    default: 10
config:
  key: value
`

const MCP_TOOL = `tool_type: mcp
executor_id: rye/core/runtimes/mcp_http_runtime
category: mcp/docs
version: 1.0.0
description: 'Answers from the documentation of a library.'
config:
  server: mcp/servers/docs
  tool_name: query-docs
input_schema:
  type: object
  properties:
    query: { type: string }
  required: [query]
`

const MCP_SERVER = `tool_type: mcp_server
executor_id: null
category: mcp/servers
version: 1.0.0
description: 'MCP server: docs'
config:
  transport: http
  timeout: 30
  url: https://example.org/mcp
`

const RUNTIME = `tool_id: my/runtimes/ruby
tool_type: runtime
version: "1.0.0"
executor_id: rye/core/primitives/subprocess
category: my/runtimes
description: Runs Ruby scripts
env_config:
  interpreter: { type: local_binary, binary: ruby, candidates: [ruby3] }
config:
  command: "\${RYE_RUBY}"
  args: ["{tool_path}", "--params", "{params_json}"]
anchor: { enabled: true }
verify_deps: { enabled: true }
`

const DATA_TOOL = {
  version: '1.0.0',
  tool_type: 'http',
  executor_id: 'rye/core/primitives/http_client',
  category: 'web',
  description: 'Fetches a page',
  config: { method: 'GET', url: 'https://example.org' },
}
const TOML = `version = "1.0.0"
tool_type = "http"
executor_id = "rye/core/primitives/http_client"
category = "web"
description = "Fetches a page"

[config]
method = "GET"
`

const DIRECTIVE = `<!-- rye:signed:2026-02-15T07:11:41Z:placeholder:unsigned:unsigned -->

# Deploy

Puts a release on its way.

\`\`\`xml
<directive name="deploy_site" version="1.0.0">
  <metadata>
    <description>Deploy the site</description>
    <category>web/release</category>
    <author>somebody</author>
    <model tier="general" />
    <limits turns="6" tokens="4096" />
    <permissions><execute><tool>rye.bash.*</tool></execute></permissions>
  </metadata>
  <inputs><input name="target" type="string" required="true">Where to</input></inputs>
  <outputs><output name="url" type="string">The address</output></outputs>
</directive>
\`\`\`

<process>
  <step name="build">Build it.</step>
</process>
`

const KNOWLEDGE = `\`\`\`yaml
name: my-knowledge
title: My Knowledge Entry
entry_type: reference
category: rye/core
version: "1.0.0"
created_at: 2026-02-18T00:00:00Z
tags:
  - tag1
  - tag2
references:
  - "docs/x.md"
\`\`\`

# Content starts here
`

const SAMPLES: Sample[] = [
  { type: 'tool', id: 'rye/file-system/write', extension: '.py', text: PYTHON },
  ...['.js', '.mjs', '.ts', '.mts'].map(
    extension => ({ type: 'tool', id: 'utility/greet', extension, text: JAVASCRIPT }) as const,
  ),
  { type: 'tool', id: 'git/status', extension: '.sh', text: SHELL },
  { type: 'tool', id: 'category/path/tool_name', extension: '.yaml', text: YAML },
  { type: 'tool', id: 'mcp/docs/query-docs', extension: '.yaml', text: MCP_TOOL },
  { type: 'tool', id: 'mcp/servers/docs', extension: '.yml', text: MCP_SERVER },
  { type: 'tool', id: 'my/runtimes/ruby', extension: '.yaml', text: RUNTIME },
  { type: 'tool', id: 'web/page', extension: '.json', text: JSON.stringify(DATA_TOOL) },
  { type: 'tool', id: 'web/page', extension: '.toml', text: TOML },
  { type: 'directive', id: 'web/release/deploy_site', extension: '.md', text: DIRECTIVE },
  { type: 'knowledge', id: 'rye/core/my-knowledge', extension: '.md', text: KNOWLEDGE },
  {
    type: 'knowledge',
    id: 'notes',
    extension: '.yaml',
    text: 'id: notes\ntitle: Notes\nentry_type: learning\nversion: "1.0.0"\n',
  },
  {
    type: 'skill',
    id: 'office/pdf',
    extension: '.md',
    text: '---\nname: pdf\ndescription: Reads PDF.\n---\n# PDF\n',
  },
  {
    type: 'config',
    id: 'keys/trusted/0123456789abcdef',
    extension: '.toml',
    text: 'version = "1.0.0"\ncategory = "keys/trusted"\nfingerprint = "0123456789abcdef"\n',
  },
]

async function issues({ type, id, extension, text }: Sample): Promise<string[]> {
  const extractor = await systemExtractor(type)
  const parsed = await extractItem(extractor, { id, extension, bytes: Buffer.from(text) })
  expect(parsed.diagnostics.filter(found => found.severity === 'error')).toEqual([])
  return validateItem(extractor, parsed).map(issue => issue.message)
}

describe('a documented item', () => {
  it.each(SAMPLES)('$type $id with $extension keeps every rule', async sample => {
    expect(await issues(sample)).toEqual([])
  })

  it.each([
    [
      'tool',
      '.yaml',
      'version: 1.0\ntool_type: 7\ncategory: elsewhere\n',
      [
        "Field 'category' must match path category 'a'",
        "Field 'tool_type' must be a string, got number",
        "Field 'version' must be semver format (X.Y.Z), got '1'",
        'Missing required field: description',
      ],
    ],
    [
      'knowledge',
      '.md',
      '---\nauthor: me\n---\n# Only prose\n',
      [
        'Missing required field: name',
        'Missing required field: title',
        'Missing required field: version',
        'Missing required field: entry_type',
      ],
    ],
    [
      'directive',
      '.md',
      '```xml\n<directive name="Other-Name" version="1">\n<inputs><input type="string"/></inputs></directive>\n```\n',
      [
        "Field 'name' must be snake_case, got 'Other-Name'",
        "Field 'name' must match filename 'b'",
        "Field 'version' must be semver format (X.Y.Z), got '1'",
        'Missing required field: description',
        'Missing required field: category',
        'Missing required field: author',
        "Field 'inputs[0]' missing required key 'name'",
      ],
    ],
    ['skill', '.md', '---\nname: other\n---\n', ['Missing required field: description']],
    [
      'config',
      '.yaml',
      'category: a\nversion: "1"\n',
      ["Field 'version' must be semver format (X.Y.Z), got '1'"],
    ],
  ] as const)('a careless %s hears everything at once', async (type, extension, text, expected) => {
    const extractor = await systemExtractor(type)
    const parsed = await extractItem(extractor, { id: 'a/b', extension, bytes: Buffer.from(text) })
    expect(validateItem(extractor, parsed).map(issue => issue.message)).toEqual(expected)
  })
})
