// A small library for tests of a catalogue: one item of each type, signed.
import type { Table } from '@lancedb/lancedb'
import type { Scratch } from '../workspace/scratch.ts'
import { scratch } from '../workspace/scratch.ts'

export const ROLLBACK =
  '---\nname: rollback\ntitle: Roll back a release\nversion: 1.0.0\nentry_type: reference\ndescription: How to roll back a release that went wrong\n---\n\nStop traffic first.\n'
export const GREET = `#!/usr/bin/env bash
# Greet a person by name
# __version__ = "1.0.0"
# __tool_type__ = "script"
# __category__ = "team"
# __tool_description__ = "Greet a person by name"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# CONFIG_SCHEMA = {"type": "object", "properties": {"who": {"type": "string"}}}
echo '{"hello": "world"}'
`
export const ITEMS: Readonly<Record<string, string>> = {
  '.ai/knowledge/ops/rollback.md': ROLLBACK,
  '.ai/tools/team/greet.sh': GREET,
  '.ai/skills/pdf-forms/SKILL.md':
    '---\nname: pdf-forms\ndescription: Fill in the fields of a PDF form\n---\n\nUse the script.\n',
  '.ai/skills/pdf-forms/scripts/fill.py': 'print("filled")\n',
}

/** The library, signed by the user's own key. */
export async function signedLibrary(options: Parameters<typeof scratch>[1] = {}): Promise<Scratch> {
  const made = await scratch(ITEMS, options)
  for (const item of ['knowledge:ops/rollback', 'tool:team/greet', 'skill:pdf-forms']) await made.sign(item)
  return made
}

/** Has the row of an item be as an older version wrote it. */
export async function ageRow(rows: Table, id: string): Promise<void> {
  await forgeRow(rows, id, { made: '3.1 static', digest: undefined })
}

/** Has the row of an item say something else, in its columns and in what is read of it. */
export async function forgeRow(rows: Table, id: string, values: Record<string, unknown>): Promise<void> {
  const [row] = await rows.query().where(`id = '${id}'`).toArray()
  const { vector: _vector, ...rest } = row!.toJSON()
  const { bytes: _bytes, ...said } = values
  const columns = Object.entries(values).filter(([, value]) => value !== undefined)
  await rows.delete(`id = '${id}'`)
  await rows.add([
    {
      ...rest,
      metadata: JSON.stringify({ ...JSON.parse(rest.metadata), ...said }),
      ...Object.fromEntries(columns),
    },
  ])
}
