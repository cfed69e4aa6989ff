// Random versions, close to one another, so that equal and neighbouring ones occur often.
import fc from 'fast-check'

const number = fc.oneof(
  fc.nat({ max: 3 }).map(String),
  fc.constantFrom('01', '10', '9007199254740993', '9007199254740992'),
)
const identifier = fc.oneof(number, fc.constantFrom('alpha', 'beta', 'rc-1', 'B'))
const ending = fc
  .tuple(fc.array(identifier, { maxLength: 2 }), fc.constantFrom('', '+build', '+5.x'))
  .map(([parts, build]) => (parts.length === 0 ? build : `-${parts.join('.')}${build}`))

/** `X.Y.Z[-pre][+build]`. */
export const fullVersionText = fc
  .tuple(fc.array(number, { minLength: 3, maxLength: 3 }), ending)
  .map(([numbers, end]) => numbers.join('.') + end)

/** With any number of parts. */
export const versionText = fc
  .tuple(fc.constantFrom('', 'v'), fc.array(number, { minLength: 1, maxLength: 4 }), ending)
  .map(([prefix, numbers, end]) => prefix + numbers.join('.') + end)
