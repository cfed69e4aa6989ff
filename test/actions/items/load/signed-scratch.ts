// A scratch project in which everything is signed.
import { type Scratch, scratch } from '../../../workspace/scratch.ts'

export async function signed(files: Readonly<Record<string, string>>): Promise<Scratch> {
  const made = await scratch(files)
  const spaces = new Set(Object.keys(files).map(path => (path.startsWith('user:') ? 'user' : 'project')))
  for (const source of spaces) await made.sign('*', { source, reviewed: true })
  return made
}
