// Kept equal to package.json by a test, so that nothing is read at start-up.
export const VERSION = '0.1.0'
