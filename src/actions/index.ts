export type {
  Action,
  ActionContext,
  Program,
  ProgramCall,
  ProgramEnd,
  Progress,
  Question,
  ThreadPart,
} from './definition/action.ts'
export { describeFailure, type Failure } from './definition/failure.ts'
export type { FieldSpec, Fields, InputOf } from './definition/field-spec.ts'
export { inputSchema } from './definition/input-schema.ts'
export { readInput } from './definition/read-input.ts'
export type { SearchAnswer } from './items/search/answer.ts'
export {
  type Facet,
  type FacetCounts,
  type FacetedSearch,
  facetedSearch,
} from './items/search/faceted-search.ts'
export { runAction } from './run-action.ts'
export { ACTIONS, type ActionEntry, findAction } from './table.ts'
