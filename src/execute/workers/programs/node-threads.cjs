// Loaded before a JavaScript tool and each of its threads: what a thread takes of packages is held to the same rules as the tool, also
// where its text is in no file.
const { getEnvironmentData, isMainThread } = require('node:worker_threads')

if (!isMainThread) {
  const { installHooks, RULES } = require('./node-packages.cjs')
  const rules = getEnvironmentData(RULES)
  if (rules) installHooks(rules)
}
