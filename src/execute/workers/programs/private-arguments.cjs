// Loaded before a JavaScript program: gives it more arguments, read from descriptor 3, which lists of
// processes do not show. Threads load this too; child processes of the program must not.
const { closeSync, readFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')

if (isMainThread) {
  process.execArgv = process.execArgv.filter(flag => flag !== `--require=${__filename}`)
  process.argv.push(...readFileSync(3, 'utf8').split('\0').slice(0, -1))
  closeSync(3)
}
