export const __version__ = "1.0.0"
export const __category__ = "demo"
