// Makes a library of any size to measure on: 60 % knowledge, 20 % directives, 20 % Python tools, 2.5 KB each,
// always the same.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SYLLABLES = 'ba co di fe gu ha jo ka li mo nu pa ro su ta ve wi xo ya zu'.split(' ')
export const VERBS = [
  'deploy',
  'search',
  'rotate',
  'archive',
  'convert',
  'validate',
  'schedule',
  'measure',
  'notify',
  'merge',
]
export const NOUNS = [
  'report',
  'cluster',
  'invoice',
  'image',
  'schema',
  'ticket',
  'dataset',
  'token',
  'release',
  'calendar',
]

/** A small seeded random generator, so that two runs measure the same library. */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The prose word with this rank: the first is the most common. */
export function commonWord(rank) {
  const syllable = step => SYLLABLES[Math.floor(rank / step) % 20]
  return syllable(1) + syllable(20) + syllable(400) + (rank % 7)
}

/** Yields `{type, id, extension, text}`. */
export function* makeItems(count, seed = 1) {
  const random = createRandom(seed)
  const pick = list => list[Math.floor(random() * list.length)]
  // Words follow Zipf's law, as in real text: a few appear everywhere, most are rare.
  const word = () => commonWord(Math.floor(20_000 ** random()))
  const prose = length => {
    let text = ''
    while (text.length < length) text += `${word()} `
    return text.slice(0, length).trimEnd()
  }
  for (let i = 0; i < count; i++) {
    const verb = pick(VERBS)
    const noun = pick(NOUNS)
    const category = `area${i % 50}/${noun}`
    const name = `${verb}_${noun}_${i}`
    const id = `${category}/${name}`
    const title = `${verb} the ${noun} ${i}`
    if (i % 5 < 3)
      yield { type: 'knowledge', id, extension: '.md', text: knowledge({ name, title, category, prose }) }
    else if (i % 5 === 3)
      yield { type: 'directive', id, extension: '.md', text: directive({ name, title, category, prose }) }
    else yield { type: 'tool', id, extension: '.py', text: tool({ title, category, prose }) }
  }
}

const FOLDERS = { knowledge: 'knowledge', directive: 'directives', tool: 'tools' }

/** Writes a library below `root/.ai`. */
export function writeLibrary(root, count, seed = 1) {
  const made = new Set()
  for (const { type, id, extension, text } of makeItems(count, seed)) {
    const path = join(root, '.ai', FOLDERS[type], `${id}${extension}`)
    if (!made.has(dirname(path))) mkdirSync(dirname(path), { recursive: true })
    made.add(dirname(path))
    writeFileSync(path, text)
  }
}

function knowledge({ name, title, category, prose }) {
  return `\`\`\`yaml
name: ${name}
title: ${title}
description: ${prose(80)}
entry_type: reference
category: ${category}
version: "1.0.0"
tags: [alpha, beta]
\`\`\`

# ${title}

${prose(2200)}
`
}

function directive({ name, title, category, prose }) {
  return `# ${title}

\`\`\`xml
<directive name="${name}" version="1.0.0">
  <metadata>
    <description>${prose(80)}</description>
    <category>${category}</category>
    <author>bench</author>
    <limits turns="5" tokens="1000" />
    <permissions><execute><tool>rye.file-system.*</tool></execute></permissions>
  </metadata>
  <inputs><input name="goal" type="string" required="true">${prose(40)}</input></inputs>
</directive>
\`\`\`

<process>
  <step name="one">${prose(1000)}</step>
  <step name="two">${prose(800)}</step>
</process>
`
}

function tool({ title, category, prose }) {
  return `"""${title}."""

__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "${category}"
__tool_description__ = "${title}"

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {
        "target": {"type": "string", "description": "${prose(60)}"},
        "count": {"type": "integer", "default": 3},
    },
    "required": ["target"],
}


def execute(params: dict, project_path: str) -> dict:
    """${prose(300)}"""
    rows = []
    for index in range(params.get("count", 3)):
        rows.append({"index": index, "target": params["target"], "note": "${prose(120)}"})
    text = (
        "${prose(700)}"
        "${prose(500)}"
    )
    return {"success": True, "rows": rows, "text": text}
`
}

/** Makes a user space in which search by meaning is off. */
export function makeWordsOnly(root) {
  const space = join(root, 'words-only')
  mkdirSync(join(space, '.ai', 'config'), { recursive: true })
  writeFileSync(join(space, '.ai', 'config', 'rye.toml'), '[search]\nmeaning = "off"\n')
  return space
}
