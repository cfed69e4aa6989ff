// Development mode weakens checks, so only one value turns it on. Others are reported as having no effect.
import { quoteText } from '../base/index.ts'
import type { Environment } from './places.ts'

const OFF = /^(?:0|false|no|off)?$/i

export function isDevMode({ RYE_DEV_MODE }: Environment): boolean {
  return RYE_DEV_MODE === '1'
}

/** What the variable does. Undefined when nobody meant to turn it on. */
export function describeDevMode(environment: Environment): string | undefined {
  if (isDevMode(environment))
    return 'RYE_DEV_MODE=1: items of the project that are unsigned, or that you have changed since you signed them, are accepted'
  const value = environment.RYE_DEV_MODE ?? ''
  return OFF.test(value) ? undefined : `RYE_DEV_MODE is not on: expected 1, got ${quoteText(value)}`
}
