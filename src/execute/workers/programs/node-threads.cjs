// Loaded before a JavaScript tool and each of its threads: the packages that a thread imports follow the same
// rules as the tool's, even if its source is in no file.
const { getEnvironmentData, isMainThread } = require('node:worker_threads')

if (!isMainThread) {
  const { installHooks, RULES } = require('./node-packages.cjs')
  const rules = getEnvironmentData(RULES)
  if (rules) installHooks(rules)
}
