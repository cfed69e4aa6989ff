// What `rye mcp` takes. Flags, checks, help and completion follow from it, as for every other command.
import type { Fields } from '../../actions/index.ts'
import { PROFILES, type Profile } from './profiles.ts'

export const MCP_FIELDS = {
  profile: {
    type: 'string',
    about: 'which tools are listed',
    // Keys of an object literal are exactly its type's.
    values: Object.keys(PROFILES) as readonly Profile[],
    default: 'four',
  },
  project_path: {
    type: 'string',
    about: 'the project of calls that name none, on stdio',
    required: true,
    filled: true,
    flag: { hidden: true },
  },
  http: {
    type: 'boolean',
    about: 'streamable HTTP on loopback instead of stdio; every call must name its project_path',
    default: false,
  },
  port: {
    type: 'integer',
    about: 'port for --http; 0 takes a free one; 4477 without it',
    minimum: 0,
    maximum: 65_535,
    flag: { value: 'N' },
  },
  host: {
    type: 'string',
    about: 'address to listen on for --http; 127.0.0.1 without it',
    flag: { value: 'NAME' },
  },
  token_file: {
    type: 'string',
    about: 'read the bearer token for --http from FILE; without it one is made and printed once',
    flag: { value: 'FILE' },
  },
} as const satisfies Fields
