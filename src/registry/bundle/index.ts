// The rules for names in other people's files, for code that reads them without a registry.
export { splitPath } from './bundle-items.ts'
export { foldPath, isReservedId, pathProblem } from './bundle-path.ts'
