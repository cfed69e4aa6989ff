export { __version__ } from './meta.js'
export { __category__ }
export const CONFIG = { a: 1 }
