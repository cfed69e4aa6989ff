// `yaml/yaml`: tools, runtimes, MCP tools and MCP servers. Every top-level key is kept as data.
import { createReport } from '../report.ts'
import { addConfigSchema } from '../tool-schema.ts'
import type { Parser } from '../types.ts'
import { readYaml } from './read-yaml.ts'

export const yaml: Parser = {
  name: 'yaml/yaml',
  async parse({ text }) {
    const report = createReport(text)
    const metadata = await readYaml({ text, toFileOffset: offset => offset }, report)
    addConfigSchema(metadata, report.at(0))
    return { metadata, body: '', diagnostics: report.diagnostics }
  },
}
