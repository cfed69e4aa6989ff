// Which versions of Python a script is made for, as PEP 440 writes it: `>=3.10,<3.14`.

/** Whether a version is certainly none of the wanted ones. What a clause says about a third number, or in another way, is not judged. */
export function isOtherPython(wanted: string, [major, minor]: readonly [number, number]): boolean {
  return wanted.split(',').some(clause => {
    const [, operator, first, second, rest = ''] =
      /^\s*(>=|<=|==|~=|>|<)\s*(\d{1,3})(?:\.(\d{1,3}))?(\.\S+)?\s*$/.exec(clause) ?? []
    if (operator === undefined) return false
    const order = major - Number(first) || minor - Number(second ?? (operator === '==' ? minor : 0))
    if (operator === '==') return order !== 0
    if (operator === '<=') return order > 0
    if (operator === '<') return rest === '' ? order >= 0 : order > 0
    return order < 0
  })
}
