export const __version__ = 1n
export const __category__ = /re/
export const __tool_type__ = undefined
export const CONFIG = { [name]: 1 }
export const ENV_CONFIG = { __proto__: { a: 1 } }
export const CONFIG_SCHEMA = () => ({})
export function __executor_id__() {}
export let __tool_description__
export const CONFIG_RESOLVE = { a: 1e999 }
