// The error for a server that the project does not have. It names the servers that it has.
import { AppError, callOf, type Hint, hintWith, nearest, printHint, quoteText } from '../../base/index.ts'
import type { ItemFiles } from './item-files.ts'

const MOST_NAMES = 10

export function missingServer(files: ItemFiles, name: string): AppError {
  const names = files.ids('mcp/servers').map(id => id.slice(id.lastIndexOf('/') + 1))
  const close = nearest(name, names)[0]
  const suggestion = close === undefined ? '' : `; did you mean \`${close}\`?`
  return new AppError('ITEM_NOT_FOUND', `no server ${quoteText(name)} in this project${suggestion}`, {
    hint: names.length === 0 ? HOW_TO_ADD : `the project has ${list(names)}`,
  })
}

const HOW_TO_ADD: Hint = {
  agent: printHint(hintWith('add it with ', callOf('execute', { item_id: 'rye/mcp/manager' })), 'agent'),
  person: 'the project has none yet: `rye mcp add NAME -- COMMAND` adds one',
}

function list(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names
    .slice(0, MOST_NAMES)
    .map(name => `\`${name}\``)
    .join(', ')}${more}`
}
