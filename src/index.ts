// The library's public surface.
export { AppError, type Diagnostic, type ErrorCode } from './base/index.ts'
export { VERSION } from './version.ts'
export { type Library, type LibraryOptions, openLibrary, type Workspace } from './workspace/index.ts'
