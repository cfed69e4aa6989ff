// A form made from the schema of an item.
import { Foreign } from '../parts/basics.tsx'
import { escapeHidden } from '../text/hidden.ts'
import { type FormField, printKind, type Values } from './schema.ts'

interface FormProps {
  readonly fields: readonly FormField[]
  readonly values: Values
  readonly faults: ReadonlyMap<string, string>
  readonly prefix?: string
  readonly onChange: (values: Values) => void
}

export function Form({ fields, values, faults, prefix = '', onChange }: FormProps) {
  return (
    <>
      {fields.map(field => {
        const id = `field-${prefix}${field.name}`
        const fault = faults.get(prefix + field.name)
        const change = (value: Values[string]) => onChange({ ...values, [field.name]: value })
        if (field.kind === 'group') {
          const inner = values[field.name]
          return (
            <fieldset key={id} class="group">
              <legend>
                <Foreign text={field.name} />
              </legend>
              {field.about && (
                <p class="faint small">
                  <Foreign text={field.about} />
                </p>
              )}
              <Form
                fields={field.fields!}
                values={typeof inner === 'object' ? inner : {}}
                faults={faults}
                prefix={`${prefix}${field.name}.`}
                onChange={change}
              />
            </fieldset>
          )
        }
        return (
          <div key={id} class="field">
            <label for={id}>
              <code>
                <Foreign text={field.name} />
              </code>
              {field.isRequired && (
                <span class="required">
                  *<span class="visually-hidden"> required</span>
                </span>
              )}
              <span class="faint small"> {printKind(field)}</span>
            </label>
            {field.about && (
              <p class="faint small" id={`${id}-about`}>
                <Foreign text={field.about} />
              </p>
            )}
            <Control
              id={id}
              field={field}
              value={values[field.name]}
              onChange={change}
              isFaulty={fault !== undefined}
            />
            {fault && (
              <p class="fault" id={`${id}-fault`}>
                <Foreign text={field.name} /> {fault}
              </p>
            )}
          </div>
        )
      })}
    </>
  )
}

interface ControlProps {
  readonly id: string
  readonly field: FormField
  readonly value: Values[string]
  readonly isFaulty: boolean
  readonly onChange: (value: Values[string]) => void
}

function Control({ id, field, value, isFaulty, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : ''
  const hint =
    field.initial === undefined
      ? ''
      : typeof field.initial === 'string'
        ? field.initial
        : JSON.stringify(field.initial)
  const described = [field.about && `${id}-about`, isFaulty && `${id}-fault`].filter(Boolean).join(' ')
  const common = { id, 'aria-invalid': isFaulty, ...(described !== '' && { 'aria-describedby': described }) }
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const choices =
      field.kind === 'boolean'
        ? [
            ['true', 'yes'],
            ['false', 'no'],
          ]
        : field.choices!.map((choice, index) => [
            String(index),
            escapeHidden(typeof choice === 'string' ? choice : JSON.stringify(choice)),
          ])
    return (
      <select {...common} value={text} onChange={event => onChange(event.currentTarget.value)}>
        <option value="">
          {hint === ''
            ? 'not given'
            : `default: ${field.kind === 'boolean' ? (/^true$/i.test(String(field.initial)) ? 'yes' : 'no') : escapeHidden(hint)}`}
        </option>
        {choices.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  if (field.kind === 'json' || field.kind === 'lines')
    return (
      <textarea
        {...common}
        rows={3}
        value={text}
        placeholder={hint}
        spellcheck={false}
        onInput={event => onChange(event.currentTarget.value)}
      />
    )
  return (
    <input
      {...common}
      type="text"
      inputMode={field.kind === 'text' ? 'text' : 'decimal'}
      value={text}
      placeholder={hint}
      autocomplete="off"
      spellcheck={false}
      onInput={event => onChange(event.currentTarget.value)}
    />
  )
}
