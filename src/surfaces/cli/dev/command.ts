// `rye dev` as a command. What watches is loaded when it runs: completion and help need the fields alone.
import { DEV_FIELDS, type DevInput, type DevSettings } from './fields.ts'

export function devCommand(settings: DevSettings) {
  return {
    fields: DEV_FIELDS,
    run: async (input: DevInput): Promise<number> => (await import('./run-dev.ts')).runDev(input, settings),
  }
}
