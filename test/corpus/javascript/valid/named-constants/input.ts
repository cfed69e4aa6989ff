import { resolve } from 'node:path'

export const __version__ = '1.0.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'git'
const NAME = 'git'
export const __tool_description__ = `Runs ${NAME} operations`

const OPERATIONS = ['status', 'diff', 'log'] as const
const LIMIT = -1
const BASE = { type: 'string', minLength: 1 } satisfies Record<string, unknown>
const PATH_KEY = 'path'

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    operation: { ...BASE, enum: [...OPERATIONS, 'help'], description: 'One of ' + NAME + ' operations' },
    [PATH_KEY]: { ...(BASE as object), minLength: 2 },
    limit: { type: 'integer', default: LIMIT, examples: [LIMIT, +LIMIT, 10] },
  },
  required: ['operation', PATH_KEY],
} as const

export async function execute(params: { operation: string }, project: string) {
  if (!OPERATIONS.includes(params.operation as never)) throw new Error('no such operation')
  return { success: true, data: resolve(project) }
}
