// All that opening a library needs, and nothing else of its folder: to import `workspace/index.ts` itself late would load everything that it names.
export { openLibrary } from '../../workspace/index.ts'
