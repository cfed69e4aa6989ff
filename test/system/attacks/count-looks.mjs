// Loaded before a program: writes how often it looked at a file to the path in `COUNT_FILE`, when it ends.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

let looks = 0
const { lstatSync } = fs
fs.lstatSync = (...words) => {
  looks++
  return lstatSync(...words)
}
syncBuiltinESMExports()
process.on('exit', () => fs.writeFileSync(process.env.COUNT_FILE, String(looks)))
