// The library's public surface: open a library, call an action, get what the command line would print.
export { type CallOptions, callAction } from './actions/index.ts'
export { AppError, type Diagnostic, type ErrorCode, VERSION } from './base/index.ts'
export { type Library, type LibraryOptions, openLibrary } from './workspace/index.ts'
