export const version = 'plain', docstring = 'plain', entry = { execute: 'sync' }
export const __version__ = '1.0.0'
