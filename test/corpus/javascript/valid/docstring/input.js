// rye:signed:2026-02-15T07:11:41Z:aa:bb:cc
/**
 * Says hello.
 *
 *   - indented
 */
export const __version__ = '1.0.0'
/** Not this one. */
export const execute = (params) => params
