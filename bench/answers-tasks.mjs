// Twenty tasks, each written twice: for an agent that has rye, and for one that has five servers listed in
// full. An agent with rye knows no item, so in every task it searches first, with the defaults of `search`.
// An agent with the list knows every tool and its schema from the start, so finding and learning cost it no
// calls. A task ends with a text that must match `answer`, or it has failed.
import { join } from 'node:path'
import { fileOf, find, learn, learnUnless, named, read, refused, run, use } from './answers-steps.mjs'

const WORDS_TOOL = `"""Count the words of a text."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "text"
__tool_description__ = "Count the words of a text"

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "What to count"}},
    "required": ["text"],
    "additionalProperties": False,
}


def execute(params: dict, project_path: str) -> dict:
    return {"success": True, "words": len(params["text"].split())}
`

const WORDS_SCRIPT = `"""Count the words of a text."""
import json
import sys

params = json.loads(sys.argv[1])
print(json.dumps({"words": len(params["text"].split())}))
`

const THOUGHTS = ['Which berths are deep enough?', 'Three are, one of them is closed.', 'So it is berth 12.']

export const TASKS = [
  {
    name: 'find the tool that moves a file',
    answer: /move_file/,
    rye: async side => JSON.stringify(await find(side, 'move or rename a file', 'tool', /move/)),
    listed: async side => side.tool('move_file').name,
  },
  {
    name: 'find what the team knows about rolling back',
    answer: /channel 9/,
    async rye(side) {
      const { id } = await find(side, 'how do we roll back a release', 'knowledge', /roll-back/)
      return run(side, `knowledge:${id}`)
    },
    async listed(side, project) {
      const { text } = await side.call('run_command', {
        command: 'grep -rliE "roll(ing)? ?-?back" . --include=*.md',
        workdir: project,
      })
      return read(side, project, /(\S*roll-back\S*\.md)/.exec(text)[1])
    },
  },
  {
    name: 'find out that nothing sends a fax',
    answer: /^nothing$/,
    async rye(side) {
      const { data } = await side.call('search', { query: 'send a fax to a phone number', item_type: 'tool' })
      return data.results.some(({ id }) => /fax|phone/.test(id)) ? 'something' : 'nothing'
    },
    listed: async side => (side.tool('send_fax') ? 'something' : 'nothing'),
  },
  {
    name: 'learn how to read a part of a file',
    answer: /offset|head/,
    async rye(side) {
      return (
        (await find(side, 'read some lines of a file', 'tool', /^rye\/file-system\/read$/)).parameters ?? ''
      )
    },
    listed: async side => JSON.stringify(side.tool('read_text_file').inputSchema),
  },
  {
    name: 'learn the whole schema for editing a file',
    answer: /dryRun|replace_all/,
    async rye(side) {
      const { id } = await find(side, 'edit a file: replace text', 'tool', /^rye\/file-system\/edit$/)
      return learn(side, id)
    },
    listed: async side => JSON.stringify(side.tool('edit_file').inputSchema),
  },
  {
    name: 'learn the whole schema for new entities',
    answer: /entityType/,
    async rye(side) {
      const { id } = await find(side, 'create entities in the knowledge graph', 'tool', /create_entities/)
      return learn(side, id)
    },
    listed: async side => JSON.stringify(side.tool('create_entities').inputSchema),
  },
  {
    name: 'read twenty lines in the middle of a file',
    answer: /Station 50 reports/,
    async rye(side) {
      const { id } = await find(side, 'read some lines of a file', 'tool', /^rye\/file-system\/read$/)
      return run(side, id, { file_path: 'docs/guides/tides.md', offset: 43, limit: 20 })
    },
    listed: (side, project) => read(side, project, 'docs/guides/tides.md', { head: 62 }),
  },
  {
    name: 'write a file',
    answer: /Berth 12 is closed/,
    async rye(side, project) {
      const { id } = await find(side, 'write a file', 'tool', /^rye\/file-system\/write$/)
      await run(side, id, { file_path: 'docs/closed.md', content: '# Closed\n\nBerth 12 is closed.\n' })
      return fileOf(project, 'docs/closed.md')
    },
    async listed(side, project) {
      const path = join(project, 'docs/closed.md')
      await use(side, 'write_file', { path, content: '# Closed\n\nBerth 12 is closed.\n' })
      return fileOf(project, 'docs/closed.md')
    },
  },
  {
    name: 'edit a file',
    answer: /berths = 41\nopen/,
    async rye(side, project) {
      const { id } = await find(side, 'edit a file: replace text', 'tool', /^rye\/file-system\/edit$/)
      const change = { old_string: 'berths = 40', new_string: 'berths = 41' }
      await run(side, id, { file_path: 'config/settings.toml', ...change })
      return fileOf(project, 'config/settings.toml')
    },
    async listed(side, project) {
      const edits = [{ oldText: 'berths = 40', newText: 'berths = 41' }]
      await use(side, 'edit_file', { path: join(project, 'config/settings.toml'), edits })
      return fileOf(project, 'config/settings.toml')
    },
  },
  {
    name: 'find files by a pattern',
    answer: /docs\/guides\/tides\.md/,
    async rye(side) {
      const { id } = await find(side, 'find files by name pattern', 'tool', /^rye\/file-system\/glob$/)
      return run(side, id, { pattern: 'docs/**/*.md' })
    },
    listed: (side, project) => use(side, 'search_files', { path: join(project, 'docs'), pattern: '**/*.md' }),
  },
  {
    name: 'find a text in files',
    answer: /docs\/install\.md/,
    async rye(side) {
      const { id } = await find(side, 'search for text in files', 'tool', /^rye\/file-system\/grep$/)
      return run(side, id, { pattern: '8431', path: 'docs' })
    },
    listed: (side, project) => use(side, 'run_command', { command: 'grep -rn 8431 docs', workdir: project }),
  },
  {
    name: 'run a command',
    answer: /\b3\b.*config\/settings\.toml/,
    async rye(side) {
      const { id } = await find(side, 'run a shell command', 'tool', /^rye\/bash$/)
      return run(side, id, { command: 'wc -l config/settings.toml' })
    },
    listed: (side, project) =>
      use(side, 'run_command', { command: 'wc -l config/settings.toml', workdir: project }),
  },
  {
    name: 'run a command that prints 22 KB',
    answer: /600 passed, 3 skipped/,
    async rye(side) {
      const { id } = await find(side, 'run a shell command', 'tool', /^rye\/bash$/)
      return run(side, id, { command: 'sh run-tests.sh' })
    },
    listed: (side, project) => use(side, 'run_command', { command: 'sh run-tests.sh', workdir: project }),
  },
  {
    name: 'remember something and recall it',
    answer: /needs a pilot/,
    async rye(side) {
      const { id } = await find(side, 'create entities in the knowledge graph', 'tool', /create_entities/)
      await learn(side, id)
      await run(side, id, { entities: [entity()] })
      const recall = await find(side, 'search nodes of the knowledge graph', 'tool', /search_nodes/)
      return run(side, recall.id, { query: 'Albatross' })
    },
    async listed(side) {
      await use(side, 'create_entities', { entities: [entity()] })
      return use(side, 'search_nodes', { query: 'Albatross' })
    },
  },
  {
    name: 'think in three steps',
    answer: /"thoughtHistoryLength": ?3/,
    async rye(side) {
      const hit = await find(side, 'think step by step about a problem', 'tool', /sequentialthinking/)
      await learnUnless(side, hit, ['thought', 'thoughtNumber', 'totalThoughts', 'nextThoughtNeeded'])
      return think(thought => run(side, hit.id, thought))
    },
    listed: side => think(thought => use(side, 'sequentialthinking', thought)),
  },
  {
    name: 'repair a refused parameter',
    answer: /port is 8431/,
    async rye(side) {
      const { id } = await find(side, 'read some lines of a file', 'tool', /^rye\/file-system\/read$/)
      const { text } = await refused(side, 'execute', {
        item_id: id,
        parameters: { filename: 'docs/install.md' },
      })
      return run(side, id, { [named(text, 'file_path')]: 'docs/install.md' })
    },
    async listed(side, project) {
      const { text } = await refused(side, 'read_text_file', { filename: join(project, 'docs/install.md') })
      return use(side, 'read_text_file', { [named(text, 'path')]: join(project, 'docs/install.md') })
    },
  },
  {
    name: 'repair a misspelt file name',
    answer: /port is 8431/,
    async rye(side) {
      const { id } = await find(side, 'read some lines of a file', 'tool', /^rye\/file-system\/read$/)
      const { text } = await refused(side, 'execute', {
        item_id: id,
        parameters: { file_path: 'docs/instal.md' },
      })
      return run(side, id, { file_path: named(text, 'docs/install.md') })
    },
    async listed(side, project) {
      await refused(side, 'read_text_file', { path: join(project, 'docs/instal.md') })
      const names = await use(side, 'list_directory', { path: join(project, 'docs') })
      return read(side, project, `docs/${named(names, 'install.md')}`)
    },
  },
  {
    name: 'read a skill and one of its references',
    answer: /Drop what no skipper can see[\s\S]*not to programmers/,
    async rye(side) {
      const { id } = await find(side, 'write release notes', 'skill', /release-notes/)
      const content = await run(side, `skill:${id}`)
      const reference = await use(side, 'load', { item_id: `skill:${id}/references/tone.md` })
      return content + reference
    },
    async listed(side, project) {
      const found = await use(side, 'search_files', { path: project, pattern: '**/SKILL.md' })
      const path = named(found, join(project, '.ai/skills/release-notes/SKILL.md'))
      const content = await use(side, 'read_text_file', { path })
      return content + (await read(side, project, '.ai/skills/release-notes/references/tone.md'))
    },
  },
  {
    name: 'follow a directive with an input',
    answer: /bookings of berth (12|\{input:berth\})/,
    async rye(side) {
      const { id } = await find(side, 'announce a closed berth', 'directive', /announce/)
      return run(side, `directive:${id}`, { berth: 12 })
    },
    async listed(side, project) {
      const { text } = await side.call('run_command', {
        command: 'grep -rli "closed berth" . --include=*.md',
        workdir: project,
      })
      return read(side, project, /(\S*announce\.md)/.exec(text)[1])
    },
  },
  {
    name: 'write a tool, sign it, run what is signed',
    answer: /"words": ?4/,
    async rye(side) {
      const { id } = await find(side, 'create a new tool', 'directive', /create_tool/)
      const about = { name: 'words', category: 'text', description: 'Count the words of a text' }
      await run(side, `directive:${id}`, about)
      await run(side, 'rye/file-system/write', { file_path: '.ai/tools/text/words.py', content: WORDS_TOOL })
      await use(side, 'sign', { item_type: 'tool', item_id: 'text/words' })
      return run(side, 'text/words', { text: 'a berth for Albatross' })
    },
    async listed(side, project) {
      const shell = command => use(side, 'run_command', { command, workdir: project })
      await use(side, 'write_file', { path: join(project, 'tools/words.py'), content: WORDS_SCRIPT })
      await shell('openssl dgst -sha256 -sign ../key.pem -out tools/words.py.sig tools/words.py')
      return shell(
        `openssl dgst -sha256 -verify ../key.pub -signature tools/words.py.sig tools/words.py && python3 tools/words.py '{"text": "a berth for Albatross"}'`,
      )
    },
  },
]

function entity() {
  return { name: 'Albatross', entityType: 'ship', observations: ['needs a pilot'] }
}

async function think(step) {
  let last = ''
  for (const [index, thought] of THOUGHTS.entries()) {
    const left = index + 1 < THOUGHTS.length
    last = await step({
      thought,
      thoughtNumber: index + 1,
      totalThoughts: THOUGHTS.length,
      nextThoughtNeeded: left,
    })
  }
  return last
}
