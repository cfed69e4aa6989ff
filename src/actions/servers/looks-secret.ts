// Guesses whether a value is a secret, from its name and its form. Pure. Secrets that it misses can still be
// seen before the item is signed.

const SECRET_NAME = /key|token|secret|passw|auth|credential|cookie|dsn|database_url|connection/i
/**
 * Prefixes that services give their tokens, and passwords in addresses. `MIXED` matches what is too long and
 * mixed to be a word or a path.
 */
const SECRET_VALUE =
  /^(?:Bearer |Basic |sk-|pk-|gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA|ey[JK])|:\/\/[^/\s:@]+:[^/\s@]+@/
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+_=]{24,}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function looksSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value) || MIXED.test(value)
}
