// Whose key it is, when nobody says: what the user's own git settings call them, else the name of the account. Only the global
// settings are read, as text: a repository has settings too, and must not decide what a key is called; and no program is started
// that a project could have put on the path.
import { realpathSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { readFile } from '../files/index.ts'

export interface OwnerPlaces {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const MAX_SETTINGS_BYTES = 256 * 1024
const MAX_OWNER = 200
/** What a reader cannot see, or what could end a line. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

export function defaultOwner(places: OwnerPlaces): string {
  return gitOwner(places) || accountOwner()
}

function gitOwner({ home, environment }: OwnerPlaces): string {
  const { XDG_CONFIG_HOME: given } = environment
  const configHome = given && isAbsolute(given) ? given : join(home, '.config')
  // As git does: the second file wins where both say something.
  const settings = [join(configHome, 'git', 'config'), join(home, '.gitconfig')].map(readSettings)
  const { name = '', email = '' } = Object.assign({}, ...settings.map(readGitUser))
  const [who, address] = [plainText(name), plainText(email).replaceAll(/[<>]/g, '')]
  return plainText(who && address ? `${who} <${address}>` : who || address)
}

/** `name` and `email` of `[user]`, as the last such line says. What git would include from other files is left out. */
export function readGitUser(text: string): { name?: string; email?: string } {
  const user: { name?: string; email?: string } = {}
  let section = ''
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[([^\]]*)\]/.exec(line)
    if (heading) section = heading[1]!.trim().toLowerCase()
    const entry = /^\s*(name|email)\s*=(.*)$/i.exec(line)
    if (entry && section === 'user') user[entry[1]!.toLowerCase() as 'name' | 'email'] = readValue(entry[2]!)
  }
  return user
}

/** Quotes are taken off, escapes undone, and a comment ends the value. */
function readValue(text: string): string {
  let value = ''
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!
    if (letter === '\\') value += text[++i] ?? ''
    else if (letter === '"') isQuoted = !isQuoted
    else if (!isQuoted && (letter === '#' || letter === ';')) break
    else value += letter
  }
  return value.trim()
}

function accountOwner(): string {
  try {
    return plainText(`${userInfo().username}@${hostname()}`)
  } catch {
    // The system has no entry for this user.
    return plainText(`somebody@${hostname()}`)
  }
}

/** On one line, nothing hidden, of bounded length. */
function plainText(text: string): string {
  return text.replace(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_OWNER).trim()
}

/** The user's own files, often links to where they are kept. What cannot be read is not there: the name is a convenience. */
function readSettings(path: string): string {
  try {
    return readFile(realpathSync(path), { maxBytes: MAX_SETTINGS_BYTES })?.bytes.toString('utf8') ?? ''
  } catch (thrown) {
    if (thrown instanceof AppError || systemErrorCode(thrown) !== undefined) return ''
    throw thrown
  }
}
