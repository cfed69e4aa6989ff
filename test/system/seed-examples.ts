// Examples from the documents that rye was built from, where they are files.
import { readFileSync } from 'node:fs'
import type { ServedLibrary } from './served-library.ts'

/** Verbatim copies in the parsers' corpus. */
const EXAMPLES = {
  'authoring-tools.md': 'markdown-frontmatter/valid/seed-003-header/input.md',
  'bash.py': 'python/valid/seed-003-bash/input.py',
  'config-schema.py': 'python/valid/seed-003-config-schema/input.py',
  'context7.yaml': 'yaml/valid/seed-003-mcp-server/input.yml',
  'directive.md': 'markdown-xml/valid/seed-000-structure/input.md',
  'execute.py': 'python/valid/seed-003-execute/input.py',
  'extractor.yaml': 'yaml/valid/seed-000-extractor/input.yaml',
  'greet.ts': 'javascript/valid/seed-000-tool/input.ts',
  'knowledge.md': 'markdown-frontmatter/valid/seed-000-sample/input.md',
  'main-block.py': 'python/valid/seed-003-main-block/input.py',
  'parsers.md': 'markdown-frontmatter/valid/seed-000-header/input.md',
  'query-docs.yaml': 'yaml/valid/seed-003-mcp-tool/input.yaml',
  'required-structure.py': 'python/valid/seed-003-structure/input.py',
  'resolve-library-id.yaml': 'yaml/valid/seed-003-mcp-tool-resolve/input.yaml',
  'runtime.yaml': 'yaml/valid/seed-000-runtime/input.yaml',
  'shell-commands.py': 'python/valid/seed-000-tool/input.py',
  'write.py': 'python/valid/seed-003-write/input.py',
  'yaml-tool.yaml': 'yaml/valid/seed-003-tool/input.yaml',
} as const

export type Example = keyof typeof EXAMPLES

export function readExample(name: Example): string {
  return readFileSync(new URL(`../corpus/${EXAMPLES[name]}`, import.meta.url), 'utf8')
}

/** Writes a server and two of its tools to the places that the document gives them. */
export function putContext7(library: ServedLibrary): void {
  library.write('tools/mcp/servers/context7.yaml', readExample('context7.yaml'))
  library.write('tools/mcp/context7/query-docs.yaml', readExample('query-docs.yaml'))
  library.write('tools/mcp/context7/resolve-library-id.yaml', readExample('resolve-library-id.yaml'))
}
