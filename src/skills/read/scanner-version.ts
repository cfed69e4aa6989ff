/** Raise this when the same files would give other rows, so that what is remembered no longer counts. */
export const SCANNER_VERSION = 10
