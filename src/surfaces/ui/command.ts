// `rye ui` as a command. The server is loaded when it runs: completion and help only need the fields.
import type { InputOf } from '../../actions/index.ts'
import { UI_FIELDS } from './fields.ts'
import type { UiSettings } from './run-ui.ts'

export function uiCommand(settings: UiSettings) {
  return {
    fields: UI_FIELDS,
    async run(input: InputOf<typeof UI_FIELDS>): Promise<number> {
      const { runUi } = await import('./run-ui.ts')
      return runUi(input, settings)
    },
  }
}
