// Three spaces, in order of precedence. The first that has an item wins; the others are shadowed, and listed as such.

export const SPACES = ['project', 'user', 'system'] as const
export type Space = (typeof SPACES)[number]

export function isSpace(value: unknown): value is Space {
  return SPACES.includes(value as Space)
}

/** 0 for project, 1 for user, 2 for system: lower wins. */
export function precedenceOf(space: Space): number {
  return SPACES.indexOf(space)
}
