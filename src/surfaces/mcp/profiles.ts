// Which actions an agent sees as tools. The list depends on the profile alone, so the agent's context does
// not grow with the library.

export const PROFILES = {
  four: ['search', 'load', 'execute', 'sign'],
  three: ['fetch', 'execute', 'sign'],
  all: ['fetch', 'search', 'load', 'execute', 'sign'],
} as const

export type Profile = keyof typeof PROFILES

/** Makes a hint name only tools of the profile: without `search` and `load`, `fetch` finds and reads. */
export function hintOfProfile(answer: object, names: readonly string[]): object {
  if (names.includes('search') || !('hint' in answer) || typeof answer.hint !== 'string') return answer
  return { ...answer, hint: answer.hint.replaceAll(/`(?:search|load)`/g, '`fetch`') }
}
