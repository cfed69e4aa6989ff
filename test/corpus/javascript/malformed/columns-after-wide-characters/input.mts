const a = "é😀"; export const __version__ = "é" + f(a)
