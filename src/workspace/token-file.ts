// The bearer token of the HTTP server, from a file that only its owner can read.
import { AppError, quoteShellWord } from '../base/index.ts'
import { readFile } from '../files/index.ts'

const TOKEN_BYTES = 4096
const MIN_LENGTH = 16

export async function readTokenFile(path: string): Promise<string> {
  const file = readFile(path, { maxBytes: TOKEN_BYTES })
  if (!file) throw new AppError('FILE_UNREADABLE', `no token file at \`${path}\``)
  if (process.platform !== 'win32' && (file.stat.mode & 0o077) !== 0) {
    throw new AppError('POLICY_DENIED', `others can read the token file \`${path}\``, {
      hint: `chmod 600 ${quoteShellWord(path)}`,
    })
  }
  const token = file.bytes.toString('utf8').trim()
  if (token.length < MIN_LENGTH || /\s/.test(token)) {
    throw new AppError(
      'INVALID_INPUT',
      `expected one word of at least ${MIN_LENGTH} characters in \`${path}\``,
    )
  }
  return token
}
