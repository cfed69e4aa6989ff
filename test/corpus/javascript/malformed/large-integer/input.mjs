export const __version__ = '1.0.0'
export const CONFIG = { account: -9007199254740993, mask: 0xffff_ffff_ffff_ffff, 18446744073709551616: 1e300 }
export const OFFSET_BASIS = 14695981039346656037
