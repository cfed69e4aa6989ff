// `rye new`: creates an item that validates, signs and runs as it is, ready to be adapted.
import { AppError } from '../../../base/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import { findSigningKey, userSpaceProblem } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import { readCommandLine } from './command-line.ts'
import { type CreatedItem, createItem, type NewItem } from './create-item.ts'
import { readParameter, uniteParameters } from './parameters.ts'
import { LANGUAGES } from './templates/write-template.ts'

const NEW_FIELDS = {
  item_type: {
    type: 'string',
    about: `what to create: ${ITEM_TYPES.join(', ')}`,
    values: ITEM_TYPES,
    required: true,
    flag: { position: 'first', value: 'TYPE' },
  },
  item_id: {
    type: 'string',
    about: 'id such as `ops/greet`',
    required: true,
    flag: { position: 'first', value: 'ID' },
  },
  command: {
    type: 'string',
    about: "a tool that runs this program: 'git log -n {n:integer} --oneline'; no shell",
    flag: { value: 'LINE' },
  },
  language: { type: 'string', about: 'of a tool; typescript without it', values: LANGUAGES },
  param: {
    type: 'strings',
    about: 'a parameter of a tool: `who:string`, `n?:integer`, `n:integer=5`',
    flag: { form: 'list', value: 'NAME:TYPE' },
  },
  description: { type: 'string', about: 'one sentence', flag: { value: 'TEXT' } },
  source: {
    type: 'string',
    about: 'space to create it in',
    values: ['project', 'user'],
    default: 'project',
  },
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof NEW_FIELDS>

/** Parameters and command, which only tools have. */
function readTool({ item_type, command, param, language }: Input): Pick<NewItem, 'parameters' | 'command'> {
  if (item_type !== 'tool' && (command ?? param ?? language) !== undefined)
    throw new AppError(
      'INVALID_INPUT',
      `a ${item_type} has no command, parameters or language: only a tool has`,
    )
  if (command === undefined) return { parameters: param && uniteParameters(param.map(readParameter)) }
  if (param)
    throw new AppError('INVALID_INPUT', 'the placeholders of a command are its parameters: `{n:integer}`')
  if (language !== undefined && language !== 'yaml')
    throw new AppError('INVALID_INPUT', `a command has no language, got \`${language}\``)
  return { command: readCommandLine(command) }
}

export type NewInput = CallInput<typeof NEW_FIELDS>

export interface NewAnswer extends CreatedItem {
  readonly status: 'created'
  /** Commands to run next. */
  readonly next: readonly string[]
}

export const newItem = defineAction({
  name: 'new',
  description: 'Create an item from a template, signed if there is a key.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: NEW_FIELDS,
  run: async (context, input): Promise<NewAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const created = await createItem(context, workspace, {
      type: input.item_type,
      id: input.item_id,
      language: input.language ?? 'typescript',
      ...readTool(input),
      space: input.source,
      ...(input.description !== undefined && { description: input.description }),
    })
    const ref = `${created.item_type}:${created.item_id}`
    const run = `rye execute ${ref}${exampleValues(input)}`
    const sign = `rye sign ${ref}${input.source === 'user' ? '@user' : ''}`
    const next = created.signed
      ? [`edit ${created.path}`, sign, run]
      : [...toGetKey(context.library.userSpace), sign, run]
    return { status: 'created', ...created, next }
  },
})

function toGetKey(userSpace: string): string[] {
  if (findSigningKey(userSpace)) return []
  const elsewhere = userSpaceProblem(userSpace) ? ['export USER_SPACE=A_FOLDER_THAT_YOU_CAN_WRITE_TO'] : []
  return [...elsewhere, 'rye keys generate']
}

/** Flags for the parameters that a call must have. */
function exampleValues(input: Input): string {
  const { parameters, command } = readTool(input)
  const required = (command?.parameters ?? parameters ?? []).filter(parameter => parameter.required)
  return required.map(({ name }) => ` --param ${name}=...`).join('')
}
