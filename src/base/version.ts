// A test keeps this equal to package.json, so nothing has to be read at start-up.
export const VERSION = '0.1.0'
