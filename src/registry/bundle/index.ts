// The rules for names in what others made, for whoever reads it without a registry.
export { splitPath } from './bundle-items.ts'
export { foldPath, isReservedId, pathProblem } from './bundle-path.ts'
