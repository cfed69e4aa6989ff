import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { addTomlServer } from '../../../src/actions/setup/init/edit-toml.ts'

const SERVER = { command: 'npx', args: ['-y', 'ryekit@0', 'mcp'] }
const INLINE = 'rye = { command = "npx", args = ["-y", "ryekit@0", "mcp"] }'
const TABLE = '[mcp_servers.rye]\ncommand = "npx"\nargs = ["-y", "ryekit@0", "mcp"]\n'

describe('a server is added to', () => {
  it.each([
    ['nothing', '', TABLE],
    ['other tables', '[mcp_servers.git]\ncommand = "x"\n', `[mcp_servers.git]\ncommand = "x"\n\n${TABLE}`],
    ['lines that end as on Windows', 'a = 1\r\n', `a = 1\r\n\r\n${TABLE.replaceAll('\n', '\r\n')}`],
    [
      'dotted keys',
      'mcp_servers.git = { command = "x" } # mine\n',
      `mcp_servers.git = { command = "x" } # mine\n\n${TABLE}`,
    ],
    [
      'an inline table',
      '# mine\nmcp_servers = { git = { command = "x" } } # these\nmodel = "y"\n\n[tui]\na = 1 # one\n',
      `# mine\nmcp_servers = { ${INLINE}, git = { command = "x" } } # these\nmodel = "y"\n\n[tui]\na = 1 # one\n`,
    ],
    ['an empty inline table', '"mcp_servers"={}', `"mcp_servers"={ ${INLINE} }`],
    [
      'an inline table, not to a text that looks like one',
      'note = """\nmcp_servers = {\n"""\nmcp_servers = {git={command="x"}}\n',
      `note = """\nmcp_servers = {\n"""\nmcp_servers = { ${INLINE},git={command="x"}}\n`,
    ],
  ])('%s', async (_what, text, expected) => {
    expect(await addTomlServer(text, SERVER)).toBe(expected)
    expect(parse(expected)).toMatchObject({ mcp_servers: { rye: SERVER } })
  })

  it.each(['[mcp_servers.rye]\n', 'mcp_servers = { rye = { command = "mine" } }\n'])(
    'not where it is: %j',
    async text => expect(await addTomlServer(text, SERVER)).toBeUndefined(),
  )

  it.each(['mcp_servers = [1]\n', 'mcp_servers = 1\n', 'nonsense ='])('not where it cannot: %j', text =>
    expect(addTomlServer(text, SERVER)).rejects.toThrow(),
  )
})
