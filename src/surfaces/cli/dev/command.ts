// `rye dev` as a command. The watching code is loaded when it runs: completion and help only need the fields.
import { DEV_FIELDS, type DevInput, type DevSettings } from './fields.ts'

export function devCommand(settings: DevSettings) {
  return {
    fields: DEV_FIELDS,
    run: async (input: DevInput): Promise<number> => (await import('./run-dev.ts')).runDev(input, settings),
  }
}
