// Signature lines, which nobody reads. Only a line of exactly their form is shortened or removed, so that
// nothing can hide in one.

const LINE =
  /^(?<open>#|\/\/|<!--) rye:signed:(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ):[0-9a-f]{64}:[\w+/=-]{86,88}:(?<signer>[0-9a-f]{16})(?<close> -->)?$/gm

/** Leaves out the digest and the signature itself. */
export function shortenSignature(text: string): string {
  return text.replace(LINE, '$<open> rye:signed:$<time>:…:$<signer>$<close>')
}

/** Removes the text of the line; an empty line stays. */
export function removeSignature(text: string): string {
  return text.replace(LINE, '')
}
