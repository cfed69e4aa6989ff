// Just what opening a library needs. Importing `workspace/index.ts` lazily would load everything it exports.
export { openLibrary } from '../../workspace/index.ts'
