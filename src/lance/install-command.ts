// The command that installs packages where this program finds them: beside it, wherever it was installed. An optional
// peer is looked for from the program's own folder upwards, so a copy in another project does not help.
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { quoteShellWord } from '../base/index.ts'

/** `program` is the path of a file of ours, `cwd` where the command would be typed, if that is known. */
export function installCommand(program: string, packages: string, cwd?: string): string {
  const at = program.indexOf(`${sep}node_modules${sep}`)
  if (at === -1) return `npm install ${packages}`
  const home = program.slice(0, at) || sep
  // A global installation is in a folder without a `package.json`.
  if (!existsSync(join(home, 'package.json'))) return `npm install --global ${packages}`
  return home === cwd ? `npm install ${packages}` : `npm install --prefix ${quoteShellWord(home)} ${packages}`
}
