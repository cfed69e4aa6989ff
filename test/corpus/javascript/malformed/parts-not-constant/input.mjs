import { homedir } from 'node:os'
import { SHARED } from './shared.mjs'

export const __version__ = '1.0.0'
const LIMITS = { seconds: 60 * 5, lines: 100 }
const MODES = ['fast']
MODES.push('slow')

export const CONFIG_SCHEMA = {
  type: 'object',
  ...SHARED,
  properties: {
    home: { type: 'string', default: homedir() },
    mode: { enum: MODES },
    late: { enum: [...LATER, 'x'] },
  },
}
export const CONFIG = { ...LIMITS, run() {}, retries: 3 }
const LATER = ['y']
