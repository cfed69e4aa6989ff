// Which actions an agent sees as tools. What is listed depends on the profile alone, so the agent's context does not grow
// with the library.

export const PROFILES = {
  four: ['search', 'load', 'execute', 'sign'],
  three: ['fetch', 'execute', 'sign'],
  all: ['fetch', 'search', 'load', 'execute', 'sign'],
} as const

export type Profile = keyof typeof PROFILES

/** An answer whose hint names tools that the profile has: `fetch` finds and reads where there is no `search` and no `load`. */
export function hintOfProfile(answer: object, names: readonly string[]): object {
  if (names.includes('search') || !('hint' in answer) || typeof answer.hint !== 'string') return answer
  return { ...answer, hint: answer.hint.replaceAll(/`(?:search|load)`/g, '`fetch`') }
}
