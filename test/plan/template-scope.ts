import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import type { TemplateScope } from '../../src/plan/configuration/template.ts'

export function scopeOf(parameters: JsonObject, absent: string[] = []): TemplateScope {
  return {
    variables: new Map([
      ['HOME', '/home/ada'],
      ['EMPTY', ''],
    ]),
    names: new Map<string, JsonValue>([
      ['project_path', '/srv/app'],
      ['params_json', JSON.stringify(parameters)],
    ]),
    parameters: new Map(Object.entries(parameters)),
    absent: new Set(absent),
  }
}
