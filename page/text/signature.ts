// Signature lines, which nobody reads: only what has exactly their form is shortened or left out, so that nothing can hide in one.

const LINE =
  /^(?<open>#|\/\/|<!--) rye:signed:(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ):[0-9a-f]{64}:[\w+/=-]{86,88}:(?<signer>[0-9a-f]{16})(?<close> -->)?$/gm

/** With the digest and the signature themselves left out. */
export function shortenSignature(text: string): string {
  return text.replace(LINE, '$<open> rye:signed:$<time>:…:$<signer>$<close>')
}

/** Without the line; an empty one stays. */
export function removeSignature(text: string): string {
  return text.replace(LINE, '')
}
