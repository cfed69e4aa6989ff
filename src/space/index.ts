export {
  type Duplicate,
  type Resolution,
  type ResolvedEntry,
  resolveSpaces,
  type SpaceEntry,
} from './resolve-spaces.ts'
