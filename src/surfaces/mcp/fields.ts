// The options of `rye mcp`. Flags, checks, help and completion follow from them, as for every other command.
import type { Fields } from '../../actions/index.ts'
import { PROFILES, type Profile } from './profiles.ts'

export const MCP_FIELDS = {
  profile: {
    type: 'string',
    about: 'which tools are listed',
    // Safe: an object literal has exactly the keys of its type.
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
    about: 'port for --http; 0 takes a free one; default 4477',
    minimum: 0,
    maximum: 65_535,
    flag: { value: 'N' },
  },
  host: {
    type: 'string',
    about: 'address to listen on for --http; default 127.0.0.1',
    flag: { value: 'NAME' },
  },
  token_file: {
    type: 'string',
    about: 'read the bearer token for --http from FILE; without it one is made and printed once',
    flag: { value: 'FILE' },
  },
  tokens: {
    type: 'string',
    about:
      'serve several users over --http: FILE says who they are and what their tokens permit (`rye mcp grant`)',
    flag: { value: 'FILE' },
  },
  without_sandbox: {
    type: 'boolean',
    about:
      'with --tokens, run tools even where no sandbox protects the files of other users: when `execute.isolation` is `process-group`, or bubblewrap does not work',
    default: false,
  },
  allow_host: {
    type: 'strings',
    about: 'another name by which clients call --http, such as that of a balancer: NAME[:PORT]',
    flag: { form: 'list', value: 'NAME' },
  },
  log: {
    type: 'string',
    about: 'log format of --http: text for people, or JSON with one line per call; default text',
    values: ['text', 'json'],
    flag: { value: 'FORM' },
  },
  drain_notice: {
    type: 'number',
    about: 'seconds that --http keeps serving, reported as not ready, after it is told to end; default 0',
    minimum: 0,
    maximum: 600,
    flag: { value: 'S' },
  },
  drain: {
    type: 'number',
    about: 'seconds that running calls of --http then get to finish; default 2',
    minimum: 0,
    maximum: 600,
    flag: { value: 'S' },
  },
} as const satisfies Fields
