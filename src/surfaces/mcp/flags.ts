// The flags of `rye mcp` as data, for completion in a shell. `run-mcp.ts` reads them and says what they mean.
import type { Fields } from '../../actions/index.ts'
import { PROFILES } from './server.ts'

export const MCP_FLAGS: Fields = {
  profile: { type: 'string', about: 'which tools are listed', values: Object.keys(PROFILES) },
  project: { type: 'string', about: 'the project of calls that name none' },
  http: { type: 'boolean', about: 'streamable HTTP on loopback' },
  port: { type: 'integer', about: 'port' },
  host: { type: 'string', about: 'address to listen on' },
  token_file: { type: 'string', about: 'file that holds the bearer token' },
}
