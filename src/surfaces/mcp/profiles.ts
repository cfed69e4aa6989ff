// Which actions an agent sees as tools. What is listed depends on the profile alone, so the agent's context does not grow
// with the library.

export const PROFILES = {
  four: ['search', 'load', 'execute', 'sign'],
  three: ['fetch', 'execute', 'sign'],
  all: ['fetch', 'search', 'load', 'execute', 'sign'],
} as const

export type Profile = keyof typeof PROFILES
