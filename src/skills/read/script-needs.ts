// Reads what a Python script says it needs, in its PEP 723 block: `# /// script`, TOML in comments, `# ///`.
import { parseBytes } from '../../parse/index.ts'

const BLOCK = /^# \/\/\/ script[ \t]*\n((?:#(?: [^\n]*)?\n)*?)# \/\/\/[ \t]*$/gm

export interface ScriptNeeds {
  /** As written: `requests>=2`. */
  readonly dependencies: readonly string[]
  /** Versions of Python, as written: `>=3.10,<3.14`. */
  readonly python: string | undefined
  /** Why the block cannot be read. Undefined when it can, or when there is none. */
  readonly fault: string | undefined
}

export async function readScriptNeeds(bytes: Uint8Array): Promise<ScriptNeeds> {
  const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n')
  const [block, second] = [...text.matchAll(BLOCK)].map(([, lines = '']) => lines)
  if (block === undefined) return { dependencies: [], python: undefined, fault: undefined }
  const toml = block.replace(/^# ?/gm, '')
  const { metadata, diagnostics } = await parseBytes('toml/toml', Buffer.from(toml), '.toml')
  const { dependencies, 'requires-python': python } = metadata
  const error = diagnostics.find(({ severity }) => severity === 'error')
  return {
    dependencies: Array.isArray(dependencies) ? dependencies.filter(one => typeof one === 'string') : [],
    python: typeof python === 'string' ? python : undefined,
    fault: error?.message ?? (second === undefined ? undefined : 'expected one such block, got several'),
  }
}
