// `toml/toml`: a tool with the keys of a YAML tool, in TOML. Also reads `config` files and trusted keys.
import { firstLineOf, lazy } from '../../base/index.ts'
import { createMetadata, toMetadata } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { addConfigSchema } from '../tool-schema.ts'
import type { Metadata, Parser } from '../types.ts'

const loadToml = lazy(() => import('smol-toml'))

const MAX_CHARACTERS = 256_000
const MAX_DEPTH = 100

export const toml: Parser = {
  name: 'toml/toml',
  async parse({ text }) {
    const report = createReport(text)
    const metadata = await readToml(text, report)
    addConfigSchema(metadata, report.at(0))
    return { metadata, body: '', diagnostics: report.diagnostics }
  },
}

async function readToml(text: string, report: Report): Promise<Metadata> {
  if (text.length > MAX_CHARACTERS) {
    report.error('toml-too-large', `expected at most ${MAX_CHARACTERS} characters of TOML`, 0)
    return createMetadata()
  }
  const { parse, TomlError } = await loadToml()
  try {
    const table = parse(text, { maxDepth: MAX_DEPTH, integersAsBigInt: 'asNeeded' })
    return toMetadata(table, report.at(0))
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown
    const message = firstLineOf(thrown).replace('Invalid TOML document: ', '').replace(/\.$/, '')
    const { line, column } = thrown
    report.diagnostics.push({ severity: 'error', code: 'toml-syntax', message, line, column })
    return createMetadata()
  }
}
