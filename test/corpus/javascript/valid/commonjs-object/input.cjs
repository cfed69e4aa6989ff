#!/usr/bin/env node
// rye:signed:2026-02-15T07:11:41Z:aa:bb:cc
'use strict'
/* Says hello.
 * Twice.
 */
const path = require('node:path')
const CONFIG_SCHEMA = { type: 'object' }
module.exports = {
  __version__: '1.0.0',
  "__category__": 'demo',
  CONFIG_SCHEMA,
  execute: async (params) => ({ ok: true }),
}
