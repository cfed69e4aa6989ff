// The default owner of a new key: the name in the user's own git settings, else the account's name. Only the
// global settings are read, and as text: a repository has settings too, which must not decide what a key is
// called, and running git could start a program that a project put on the path.
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
/** Characters that a reader cannot see, or that could end a line. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

export function defaultOwner(places: OwnerPlaces): string {
  return gitOwner(places) || accountOwner()
}

function gitOwner({ home, environment }: OwnerPlaces): string {
  const { XDG_CONFIG_HOME: given } = environment
  const configHome = given && isAbsolute(given) ? given : join(home, '.config')
  // As in git, the second file wins when both set a value.
  const settings = [join(configHome, 'git', 'config'), join(home, '.gitconfig')].map(readSettings)
  const { name = '', email = '' } = Object.assign({}, ...settings.map(readGitUser))
  const [who, address] = [plainText(name), plainText(email).replaceAll(/[<>]/g, '')]
  return plainText(who && address ? `${who} <${address}>` : who || address)
}

/** `name` and `email` of `[user]`; the last such line wins. Files that git would include are ignored. */
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

/** Removes quotes, undoes escapes, and stops at a comment. */
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

/** On one line, without hidden characters, limited in length. */
function plainText(text: string): string {
  return text.replace(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_OWNER).trim()
}

/** Reads one of the user's own files, often a link. Empty when unreadable: the name is a convenience. */
function readSettings(path: string): string {
  try {
    return readFile(realpathSync(path), { maxBytes: MAX_SETTINGS_BYTES })?.bytes.toString('utf8') ?? ''
  } catch (thrown) {
    if (thrown instanceof AppError || systemErrorCode(thrown) !== undefined) return ''
    throw thrown
  }
}
