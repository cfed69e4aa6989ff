export const CONFIG = {
  // comments, /* anywhere */
  unquoted: 1, 'quoted': -2.5, "double": +3, 4: 0x10, ['computed']: 1e3, [`tpl`]: 0b11,
  nested: { list: [[], {}, [null, true, false,],], },
  $dollar: 1_000, été: 'é', if: 'keyword',
  ['__proto__']: { polluted: true },
  constructor: { prototype: 1 },
}
