// What a Python script says that it needs, in the block of PEP 723: `# /// script`, TOML in comments, `# ///`.
import { parseBytes } from '../../parse/index.ts'

const BLOCK = /^# \/\/\/ script[ \t]*\n((?:#(?: [^\n]*)?\n)*?)# \/\/\/[ \t]*$/m

/** As written: `requests>=2`. Empty without such a block, or where it is not TOML. */
export async function scriptDependencies(bytes: Uint8Array): Promise<readonly string[]> {
  const text = Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n')
  const block = BLOCK.exec(text)?.[1]
  if (block === undefined) return []
  const toml = block.replace(/^# ?/gm, '')
  const { metadata } = await parseBytes('toml/toml', Buffer.from(toml), '.toml')
  const { dependencies } = metadata
  return Array.isArray(dependencies) ? dependencies.filter(one => typeof one === 'string') : []
}
