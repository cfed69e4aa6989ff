import { realpathSync } from 'node:fs'

/** Without links. What is not there lies where its name says. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
