// Replaces a system call's answer for one test: a full disk, a file system that cannot sync, or just a record
// of the calls.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** Puts `make(real)` in the place of a function of `node:fs`, for everybody in this process. */
export function replaceCall<
  Name extends 'fsyncSync' | 'mkdirSync' | 'openSync' | 'readlinkSync' | 'writeSync',
>(name: Name, make: (real: (typeof fs)[Name]) => (...given: never[]) => unknown): void {
  const real = fs[name]
  const put = (value: unknown) => {
    Object.assign(fs, { [name]: value })
    syncBuiltinESMExports()
  }
  put(make(real))
  onTestFinished(() => put(real))
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
