import { version } from './version.js'
const base = { a: 1 }
export const __version__ = version
export const __tool_type__ = `${base}`
export const __executor_id__ = process.env.RUNTIME
export const __category__ = 'a' + 1
export const __tool_description__ = describe()
export const CONFIG_SCHEMA = { ...base, b: 2 }
export const ENV_CONFIG = { run() {} }
export const CONFIG = { timeout: 60 * 5 }
export const CONFIG_RESOLVE = [, 1]
