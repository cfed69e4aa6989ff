// `rye completion SHELL`, and `rye completion items WORD`, which the scripts ask while somebody types.
import { ACTIONS, type Fields } from '../../../actions/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import { bashScript } from './bash.ts'
import type { CompletedCommand } from './commands.ts'
import { fishScript } from './fish.ts'
import { completeItem } from './items.ts'
import { zshScript } from './zsh.ts'

interface Settings {
  readonly foreign: readonly { name: string; summary: string; fields?: () => Promise<Fields> }[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
}

const SCRIPTS = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])

/** What is to be printed; status 2 when the call was wrong, and then the text says how. */
export async function runCompletion(
  [word, typed = '']: readonly string[],
  settings: Settings,
): Promise<{ status: 0 | 2; text: string }> {
  if (word === 'items') return { status: 0, text: (await findItems(typed, settings)).join('\n') }
  const script = SCRIPTS.get(word ?? '')
  if (!script) return { status: 2, text: `expected \`rye completion ${[...SCRIPTS.keys()].join('|')}\`` }
  return { status: 0, text: script(await listCommands(settings)) }
}

async function listCommands({ foreign }: Settings): Promise<CompletedCommand[]> {
  const own = ACTIONS.map(async ({ name, summary, load }) => ({
    name,
    summary,
    fields: (await load()).fields,
  }))
  const others = foreign.map(async ({ name, summary, fields }) => ({
    name,
    summary,
    fields: (await fields?.()) ?? {},
    isForeign: true,
  }))
  const shells = [...SCRIPTS.keys()].map(shell => ({
    name: `completion ${shell}`,
    summary: `a script for ${shell}`,
    fields: {},
    isForeign: true,
  }))
  return [...(await Promise.all([...own, ...others])), ...shells]
}

async function findItems(typed: string, { environment, directory }: Settings): Promise<string[]> {
  const { openLibrary } = await import('../../../workspace/index.ts')
  const library = openLibrary({ environment })
  try {
    const { items } = (await library.open(directory)).list(ITEM_TYPES)
    return completeItem(
      items.map(({ entry }) => ({ item_type: entry.type, item_id: entry.id })),
      typed,
    )
  } finally {
    await library.close()
  }
}
