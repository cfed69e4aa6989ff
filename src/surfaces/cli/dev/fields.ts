// The options of `rye dev`.
import type { Fields, InputOf } from '../../../actions/index.ts'

export const DEV_FIELDS = {
  item_id: {
    type: 'string',
    about: 'item to run again after each change; without it, r runs again what was last run',
    flag: { position: 'first', value: 'ITEM' },
  },
  parameters: {
    type: 'object',
    about: 'its parameters',
    flag: { name: 'params', form: 'json', value: 'JSON' },
  },
  param: {
    type: 'object',
    about: 'one parameter, converted by the schema',
    flag: { form: 'pairs', value: 'NAME=VALUE' },
  },
  project_path: {
    type: 'string',
    about: 'the project to watch',
    required: true,
    filled: true,
    flag: { hidden: true },
  },
} as const satisfies Fields

export type DevInput = InputOf<typeof DEV_FIELDS>

export interface DevSettings {
  readonly environment: Readonly<Record<string, string | undefined>>
}
