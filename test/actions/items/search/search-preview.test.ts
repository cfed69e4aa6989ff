// A preview is prose: signatures, metadata and code never appear in it, whatever the format of the item.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../../../fixtures/library-session.ts'

const SCHEMA =
  '{"type": "object",\nMARK  "properties": {"leaked": {"type": "string", "description": "zebra stripes"}},\nMARK  "required": []}'
const NAMES: [string, string][] = [
  ['__version__', '"9.9.9"'],
  ['__tool_type__', '"python"'],
  ['__executor_id__', '"rye/core/leaked"'],
  ['__category__', '"z"'],
  ['__tool_description__', '"zebra words"'],
  ['CONFIG_SCHEMA', SCHEMA],
]
const constants = (before: string, mark: string) =>
  NAMES.map(([name, value]) => `${before}${name} = ${value.replaceAll('MARK', mark)}`).join('\n')

const ITEMS: Record<string, string> = {
  '.ai/tools/z/py.py': `"""About."""\n${constants('', '')}\n\ndef execute(params, project_path):\n    return "zebra body"\n`,
  '.ai/tools/z/sh.sh': `#!/usr/bin/env bash\n# About.\n${constants('# ', '#')}\necho zebra body\n`,
  '.ai/tools/z/js.js': `// About.\n${constants('export const ', '')}\nexport const execute = () => "zebra body"\n`,
  '.ai/tools/z/ts.ts': `// About.\n${constants('export const ', '')}\nexport const execute = (): string => "zebra body"\n`,
  '.ai/tools/z/tight.py':
    '__version__="9.9.9"\n(__category__) = "z"\n__tool_description__="zebra leaked"\nprint("zebra body")\n',
  '.ai/tools/z/header.sh': '# __version__="9.9.9"\n# __executor_id__="rye/core/leaked"\necho zebra body\n',
  '.ai/tools/z/typed.ts':
    'export const CONFIG_SCHEMA: { type: string; properties: object } = {\n  type: "leaked",\n  properties: { zebra: {} },\n}\nexport const execute = () => "zebra body"\n',
  '.ai/tools/z/common.cjs':
    'exports.__version__ = "9.9.9"\nmodule.exports.CONFIG = {\n  leaked: "zebra",\n}\nexports.execute = () => "zebra body"\n',
  '.ai/tools/z/object.cjs':
    'module.exports = {\n  __version__: "9.9.9",\n  CONFIG: { leaked: "zebra" },\n  execute: () => "zebra body",\n}\n',
  '.ai/skills/skill/SKILL.md': '---\nname: skill\ndescription: leaked words\n---\n# Skill\n',
  '.ai/skills/skill/references/guide.md':
    '---\nmetadata:\n  title: Guide\n  for_tools: [skill.leaked]\nversion: "9.9.9"\n---\nzebra body\n',
  '.ai/tools/z/yaml.yaml':
    'version: "9.9.9"\ntool_type: bash\nexecutor_id: rye/core/leaked\ncategory: z\ndescription: zebra words\nconfig:\n  command: echo zebra body\n',
  '.ai/tools/z/json.json':
    '{"version": "9.9.9", "tool_type": "bash", "executor_id": "rye/core/leaked", "category": "z", "description": "zebra words"}\n',
  '.ai/tools/z/toml.toml':
    'version = "9.9.9"\ntool_type = "bash"\nexecutor_id = "rye/core/leaked"\ncategory = "z"\ndescription = "zebra words"\n',
  '.ai/knowledge/z/md.md':
    '---\nname: md\ntitle: Zebra\nentry_type: leaked\ncategory: z\nversion: "9.9.9"\n---\n\nzebra body\n\n```js\nconst leaked = "9.9.9"\n```\n',
  '.ai/knowledge/z/fence.md':
    '```yaml\nname: fence\ntitle: Zebra\nentry_type: leaked\ncategory: z\nversion: "9.9.9"\n```\n\nzebra body\n',
  '.ai/directives/z/dir.md':
    '# Zebra\n\n```xml\n<directive name="dir" version="9.9.9">\n  <metadata><description>zebra words</description><category>leaked</category><author>a</author></metadata>\n</directive>\n```\n\n<process><step name="s">zebra body</step></process>\n',
}

let session: LibrarySession
beforeAll(async () => {
  // Items that cannot be signed are previewed only in development mode.
  session = await openSession({ signing: true, environment: { RYE_DEV_MODE: '1' } })
  for (const [path, content] of Object.entries(ITEMS)) session.write(path, content)
  for (const item_type of ['tool', 'knowledge', 'directive'])
    await session.call('sign', { item_type, item_id: '*' })
})
afterAll(() => session.close())

async function search(query: string) {
  const { results } = (await session.call('search', {
    query,
    source: 'project',
    limit: 50,
    match: 'any',
  })) as never as {
    results: { id: string; preview: string }[]
  }
  return results
}

it('finds no item by its signature line', async () => {
  expect(await search('signed')).toEqual([])
})

it.each(['zebra', 'zebra leaked', 'leaked', 'version', '*'])('a search for `%s`', async query => {
  const results = await search(query)
  // A skill takes two files.
  if (/zebra|\*/.test(query)) expect(results).toHaveLength(Object.keys(ITEMS).length - 1)
  expect(results).not.toEqual([])
  for (const { id, preview } of results) {
    expect(preview, id).not.toMatch(
      /leaked|9\.9\.9|rye:signed|__\w+__|CONFIG_SCHEMA|executor_id|<metadata>|entry_type/,
    )
    if (/(py|sh|js|ts)$/.test(id)) expect(preview, id).toContain('zebra stripes')
    if (/(md|fence|dir|skill)$/.test(id)) expect(preview, id).toContain('zebra body')
    else expect(preview, id).not.toMatch(/zebra body|execute|print|echo|exports|return/)
  }
})
