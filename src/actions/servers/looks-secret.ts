// Whether a value is likely to be a secret, by its name and by how it looks. Pure. A guess: what it misses is shown before it is signed.

const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie|dsn|database_url|connection/i
/** Prefixes that services give their tokens, and what is too long and too mixed to be a word or a path. */
const SECRET_VALUE =
  /^(?:Bearer |Basic |sk-|pk-|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA|ey[JK])|:\/\/[^/\s:@]+:[^/\s@]+@/
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+_=]{24,}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function looksSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value) || MIXED.test(value)
}
