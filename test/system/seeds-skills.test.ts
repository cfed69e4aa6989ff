// The document about parsed skills: its example skill, scanned, indexed and written to a table, has every
// field that the document names.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace, type Place } from './run-rye.ts'

const RESEARCHER = `---
name: researcher
description: Researches repositories
metadata:
  author: ann
  version: "1.0.0"
  source: https://example.org/researcher
  routing_keywords: [research, graph]
  intents: [analyse a repository]
  require_refs: [references/run_research_graph.md]
  permissions: ["filesystem:read"]
---
# Researcher
`
const ENTRY = `from omni.api import skill_command


@skill_command(
    name="run_research_graph",
    description="Run the research graph",
    category="research",
    read_only=True,
    destructive=False,
)
async def run(repo_url: str, depth: int = 3) -> dict:
    """Runs.

    Args:
        repo_url: Address of the repository
    """
    return {}
`
const REFERENCE = `---
metadata:
  title: The graph
  for_tools: [researcher.run_research_graph]
  routing_keywords: [graph]
---
# The graph

How it runs.

## Steps
`
const FILES = {
  'assets/skills/researcher/SKILL.md': RESEARCHER,
  'assets/skills/researcher/scripts/entry.py': ENTRY,
  'assets/skills/researcher/references/run_research_graph.md': REFERENCE,
  'assets/skills/researcher/extensions/sniffer/rules.toml':
    '[[match]]\ntype = "file_exists"\npattern = "repo.toml"\n',
  'assets/skills/git/SKILL.md': '---\nname: git\ndescription: Version control\n---\n',
  'assets/skills/git/references/smart_commit.md':
    '---\nmetadata:\n  for_tools: [git.smart_commit, researcher.run_research_graph]\n---\n# Smart commit\n',
  'notes/errors.md':
    '---\ntitle: Errors\ndescription: Known errors\ncategory: error\ntags: [a]\nauthors: [ann]\nsource: team\nversion: "2"\n---\nBody\n',
}

let place: Place
beforeAll(() => {
  place = makePlace()
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(place.project, path)), { recursive: true })
    writeFileSync(join(place.project, path), text)
  }
})
afterAll(() => place.remove())

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/)
const REFERENCES = {
  'git.references.smart_commit': 'git/references/smart_commit.md',
  'researcher.references.run_research_graph': 'researcher/references/run_research_graph.md',
}

const TOOL = {
  tool_name: 'researcher.run_research_graph',
  description: 'Run the research graph',
  skill_name: 'researcher',
  file_path: 'researcher/scripts/entry.py',
  function_name: 'run',
  execution_mode: 'async',
  keywords: ['researcher', 'run_research_graph', 'research', 'graph'],
  intents: ['analyse a repository'],
  file_hash: HASH,
  input_schema: expect.any(String),
  docstring: expect.stringContaining('Runs.'),
  category: 'research',
  annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
  parameters: ['repo_url', 'depth'],
  skill_tools_refers: ['smart_commit', 'run_research_graph'],
}

const GRAPH = {
  ref_name: 'run_research_graph',
  title: 'The graph',
  skill_name: 'researcher',
  file_path: 'researcher/references/run_research_graph.md',
  for_skills: ['researcher'],
  for_tools: ['researcher.run_research_graph'],
  doc_type: 'reference',
  content_preview: expect.stringContaining('How it runs.'),
  keywords: ['graph'],
  sections: ['Steps'],
  file_hash: HASH,
}

/** Of another skill: it describes this one's tool, too. */
const SMART_COMMIT = {
  ref_name: 'smart_commit',
  title: 'Smart commit',
  skill_name: 'git',
  file_path: 'git/references/smart_commit.md',
  for_skills: ['git', 'researcher'],
  for_tools: ['git.smart_commit', 'researcher.run_research_graph'],
  doc_type: 'reference',
  content_preview: '# Smart commit',
  keywords: [],
  sections: [],
  file_hash: HASH,
}

it('a skill becomes one payload', async () => {
  const ran = await place.rye(['skills', 'scan', 'assets/skills', '--json'])
  const { skills, diagnostics } = ran.json()
  const researcher = skills.find((skill: { skill_name: string }) => skill.skill_name === 'researcher')
  expect(researcher).toEqual({
    skill_name: 'researcher',
    skill_md_path: 'researcher/SKILL.md',
    metadata: {
      skill_name: 'researcher',
      version: '1.0.0',
      description: 'Researches repositories',
      routing_keywords: ['research', 'graph'],
      authors: ['ann'],
      intents: ['analyse a repository'],
      require_refs: ['references/run_research_graph.md'],
      repository: 'https://example.org/researcher',
      permissions: ['filesystem:read'],
    },
    skill_tools: { 'researcher.run_research_graph': { tool: TOOL, skill_tool_references: REFERENCES } },
    references: { smart_commit: SMART_COMMIT, run_research_graph: GRAPH },
  })
  const schema = researcher.skill_tools['researcher.run_research_graph'].tool.input_schema
  expect(JSON.parse(schema)).toMatchObject({
    type: 'object',
    properties: {
      repo_url: { type: 'string', description: 'Address of the repository' },
      depth: { type: 'integer', default: 3 },
    },
    required: ['repo_url'],
  })
  // What the document has of a tool that is not there is said.
  expect(diagnostics).toMatchObject([{ path: 'git/references/smart_commit.md', code: 'tool-unknown' }])
})

it('a skill becomes one entry of the index', async () => {
  const ran = await place.rye(['skills', 'index', 'assets/skills', '--json'])
  const { skills } = ran.json()
  const researcher = skills.find((skill: { name: string }) => skill.name === 'researcher')
  expect(researcher).toEqual({
    name: 'researcher',
    description: 'Researches repositories',
    version: '1.0.0',
    path: 'researcher',
    tools: [
      {
        name: 'researcher.run_research_graph',
        description: 'Run the research graph',
        category: 'research',
        input_schema: expect.any(String),
        file_hash: HASH,
      },
    ],
    routing_keywords: ['research', 'graph'],
    intents: ['analyse a repository'],
    authors: ['ann'],
    docs_available: { skill_md: true, readme: false, tests: false },
    oss_compliant: [],
    compliance_details: [],
    require_refs: ['references/run_research_graph.md'],
    sniffing_rules: [{ type: 'file_exists', pattern: 'repo.toml' }],
    permissions: ['filesystem:read'],
    references: [GRAPH, SMART_COMMIT],
  })
})

it('a skill and its tool become a row of the table each', async () => {
  const sync = ['skills', 'sync', 'assets/skills', '--lance', join(place.root, 'table'), '--json']
  const rows = ['git', 'researcher', 'researcher.run_research_graph']
  const added = { added: rows, updated: [], deleted: [], unchanged_count: 0 }
  expect((await place.rye(sync)).json()).toMatchObject(added)
  expect((await place.rye(sync)).json()).toMatchObject({ added: [], unchanged_count: 3 })
  const { connect } = await import('@lancedb/lancedb')
  const table = await (await connect(join(place.root, 'table'))).openTable('skills')
  const [row] = await table.query().where("type = 'command'").toArray()
  const { keywords, execution_mode, description, ...record } = TOOL
  expect(JSON.parse(row.metadata)).toEqual({
    type: 'command',
    // Beside what the seed says: the kind of a resource, where its paths begin, and the state of the folder.
    kind: 'command',
    root: 'assets/skills',
    item_id: 'researcher.run_research_graph',
    digest: expect.stringMatching(/^sha256:/),
    trust: { status: 'unsigned', signer: null },
    command: 'run_research_graph',
    routing_keywords: ['research', 'graph'],
    ...record,
  })
})

it('a document becomes one entry of knowledge', async () => {
  const ran = await place.rye(['knowledge', 'scan', 'notes', '--json'])
  expect(ran.json().entries).toEqual([
    {
      id: expect.any(String),
      file_path: 'errors.md',
      title: 'Errors',
      description: 'Known errors',
      category: 'error',
      tags: ['a'],
      authors: ['ann'],
      source: 'team',
      version: '2',
      file_hash: HASH,
      content_preview: 'Body',
    },
  ])
})
