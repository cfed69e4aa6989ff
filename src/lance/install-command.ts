// The command that installs packages where this program finds them: beside it, wherever it was installed.
// Node looks for an optional peer from the program's own folder upwards, so a copy in another project does
// not help.
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { quoteShellWord } from '../base/index.ts'

/** `program` is the path of one of our files; `cwd` is where the user would type the command, if known. */
export function installCommand(program: string, packages: string, cwd?: string): string {
  const at = program.indexOf(`${sep}node_modules${sep}`)
  if (at === -1) return `npm install ${packages}`
  const home = program.slice(0, at) || sep
  // A global installation has no `package.json` in its folder.
  if (!existsSync(join(home, 'package.json'))) return `npm install --global ${packages}`
  return home === cwd ? `npm install ${packages}` : `npm install --prefix ${quoteShellWord(home)} ${packages}`
}
