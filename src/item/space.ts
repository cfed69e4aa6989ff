// The spaces, in order of precedence. The first that has an item wins; the others are shadowed, and listed as
// such. `shared` exists only for a user who has set up a catalogue.

export const SPACES = ['project', 'user', 'shared', 'system'] as const
export type Space = (typeof SPACES)[number]

/** The spaces that everybody has. */
export const OWN_SPACES = ['project', 'user', 'system'] as const

/** Whether items of a space can be changed. */
export function isWritable(space: Space): space is 'project' | 'user' {
  return space === 'project' || space === 'user'
}

export function isSpace(value: unknown): value is Space {
  return SPACES.includes(value as Space)
}

/** Lower wins. */
export function precedenceOf(space: Space): number {
  return SPACES.indexOf(space)
}
