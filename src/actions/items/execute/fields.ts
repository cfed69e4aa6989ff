// What `execute` takes.
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'

export const EXECUTE_FIELDS = {
  item_id: {
    ...itemId,
    about: `${itemId.about}; \`NAME.TOOL\`: a tool of a skill; \`skill:NAME/path\`: a script of it`,
  },
  item_type: itemType,
  project_path: projectPath,
  parameters: {
    type: 'object',
    about: "the tool's parameters or the directive's inputs, as its source names them",
    listed: '',
    default: {},
    flag: { name: 'params', form: 'json', value: 'JSON' },
  },
  param: {
    type: 'object',
    about: 'one parameter, converted by the schema',
    flag: { name: 'param', form: 'pairs', value: 'NAME=VALUE' },
    forPeople: true,
  },
  dry_run: {
    type: 'boolean',
    about: 'check signatures and parameters, start nothing',
    listed: '',
    default: false,
  },
  timeout: { type: 'number', about: 'seconds', minimum: 0.1, maximum: 86_400, flag: { value: 'S' } },
  trace: {
    type: 'boolean',
    about: 'also answer with chain, isolation, receipt and what was printed',
    listed: 'tell how it ran',
    default: false,
  },
} as const satisfies Fields

export type ExecuteInput = CallInput<typeof EXECUTE_FIELDS>
