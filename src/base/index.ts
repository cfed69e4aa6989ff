export { absoluteFolders } from './absolute-folders.ts'
export { AppError, type ErrorCode, systemErrorCode } from './app-error.ts'
export { cannotListen } from './cannot-listen.ts'
export { countOf } from './count-of.ts'
export { type Diagnostic, LineMap } from './diagnostic.ts'
export { sha256Hex } from './digest.ts'
export { editDistance, nearest } from './edit-distance.ts'
export { escapePattern } from './escape-pattern.ts'
export { escapeHidden, findHidden, flattenText, printVisibleJson } from './escape-text.ts'
export { type Caller, callOf, commandOf, type Hint, hintWith, printHint } from './hint.ts'
export { isLoopback } from './is-loopback.ts'
export { isText } from './is-text.ts'
export {
  describeType,
  isRecord,
  type JsonObject,
  type JsonValue,
  printCanonicalJson,
  typeName,
} from './json.ts'
export { JSON_TYPES, TYPE_WORDS } from './json-types.ts'
export { lazy } from './lazy.ts'
export { hasLetterOrDigit } from './letters.ts'
export { diffLines } from './line-diff.ts'
export { mergeLines } from './line-merge.ts'
export { matchesStars } from './match-stars.ts'
export { isDeeperThan, isTextDeeperThan } from './nesting-depth.ts'
export { cutText, firstLineOf, quoteText, shortenText } from './quote-text.ts'
export { releaseMemory } from './release-memory.ts'
export { putAside, quoteShellWord } from './shell-word.ts'
export { VERSION } from './version.ts'
