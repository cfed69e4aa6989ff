// The project that both sides work in: a few documents, and items of every type. Nothing in it is random.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const TOPICS = ['caching', 'logging', 'metrics', 'paging', 'queues', 'retries', 'secrets', 'timeouts']

export function writeProject(project) {
  for (const [path, text] of Object.entries(files())) {
    const file = join(project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function files() {
  return {
    'README.md': '# Harbour\n\nBerths, tides and bookings of a small harbour.\n',
    'docs/install.md':
      '# Install\n\nNeeds a database and a tide table. Run `make install`; the port is 8431.\n',
    'docs/bookings.md': '# Bookings\n\nA berth is booked for whole days.\n',
    'docs/guides/tides.md': `# Tides\n\n${numbered(400, line => `Station ${line} reports a tide of ${(line * 7) % 13} decimetres.`)}`,
    'tools/README.md': '# Tools\n\nScripts of the harbour.\n',
    'config/settings.toml': 'berths = 40\nopen = "06:00"\nclose = "22:00"\n',
    'run-tests.sh': `#!/bin/sh\nfor n in $(seq 1 600); do echo "test $n of the booking rules: passed"; done\necho "600 passed, 3 skipped"\n`,
    ...Object.fromEntries(TOPICS.map(topic => [`.ai/knowledge/team/${topic}.md`, knowledge(topic)])),
    '.ai/knowledge/team/roll-back-a-release.md': entry(
      'roll-back-a-release',
      'Roll back a release',
      'Stop the bookings first. Then `make rollback TO=<version>`, and tell the harbour master on channel 9.',
    ),
    '.ai/directives/team/announce.md': ANNOUNCE,
    '.ai/skills/release-notes/SKILL.md': SKILL,
    '.ai/skills/release-notes/references/tone.md':
      '# Tone\n\nWrite to skippers, not to programmers. Name the berth before the change.\n',
  }
}

function numbered(lines, write) {
  return Array.from({ length: lines }, (_, index) => `${write(index + 1)}\n`).join('')
}

function knowledge(topic) {
  return entry(topic, `How we do ${topic}`, `What the team has agreed on about ${topic}, and why.`)
}

function entry(name, title, body) {
  return `---\nname: ${name}\ntitle: ${title}\nentry_type: reference\ncategory: team\nversion: "1.0.0"\nauthor: ann\n---\n\n# ${title}\n\n${body}\n`
}

const ANNOUNCE = `# Announce

\`\`\`xml
<directive name="announce" version="1.0.0">
  <metadata>
    <description>Announce a closed berth to all skippers who booked it</description>
    <category>team</category>
    <author>ann</author>
  </metadata>
  <inputs>
    <input name="berth" type="integer" required="true">Number of the berth</input>
  </inputs>
</directive>
\`\`\`

<process>
  <step name="list">List the bookings of berth {input:berth} in the next seven days.</step>
  <step name="write">Write one message to each skipper: the berth, the days, the nearest free one.</step>
</process>
`

const SKILL = `---
name: release-notes
description: Write the release notes of a version. Use it when somebody asks what changed for the skippers.
license: MIT
---

# Release notes

1. Collect the changes since the last tag.
2. Drop what no skipper can see.
3. Write one sentence for each, in the tone of \`references/tone.md\`.
`
