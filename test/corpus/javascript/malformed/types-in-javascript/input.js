export const __version__: string = '1.0.0'
