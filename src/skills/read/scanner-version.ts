/**
 * Raise this when the same files would give other rows. What was remembered of them then no longer counts.
 */
export const SCANNER_VERSION = 10
