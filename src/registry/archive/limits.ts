// Limits of a bundle: bytes when packed, bytes when unpacked, bytes per file, number of files.

export const PACKED_BYTES = 20_000_000
export const UNPACKED_BYTES = 100_000_000
export const FILE_BYTES = 8_000_000
export const MOST_FILES = 5_000
