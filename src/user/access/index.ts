export {
  changeAccessTokens,
  digestToken,
  isSameDigest,
  makeToken,
  readAccessTokens,
  readTokenFile,
  watchAccessTokens,
} from './token-file.ts'
export {
  type AccessToken,
  type Grant,
  isDate,
  isTokenName,
  PERMISSIONS,
  type Permission,
  TOKEN_BOUNDS,
  TOKEN_DEFAULTS,
} from './tokens.ts'
