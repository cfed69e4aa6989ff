export const SINGLE = 'it\'s "quoted"'
export const DOUBLE = "https://example.org/a//b /* no comment */"
export const TEMPLATE = `two
lines \u{1F600} \x41`
export const JOINED = 'a' + "b" + `c`
export const ESCAPES = "\n\t\0\u00e9\
joined"
