// Several conditions on one field. An object has one value per field, so they are a list: `{"version":
// {"all": [">=1.2", "<2"]}}`.
import { isRecord } from '../base/index.ts'

/** The entries of `{all: [...]}`, at least one; undefined when the value is anything else. */
export function readAllOf(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value) || Object.keys(value).join() !== 'all') return undefined
  return Array.isArray(value.all) && value.all.length > 0 ? value.all : undefined
}
