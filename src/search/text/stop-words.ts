// Words that belong to a question rather than its subject. They are ignored only in questions (`match` is
// `auto` or `any`), never in exact queries, and never when there are no other words. Words that change the
// meaning, such as `off` and `all`, are not among them.

const QUESTION_WORDS = `
a about after also am an and any are as at be because been before being between both but by can could did do does
doing for from further get give had has have having he help her here hers him his how i if in into is it its just know
let like ll looking many may me might more most much must my need nor not now of once only or other our ours please re
shall she should show so some such tell than thank thanks that the their theirs them then there these they this those
through to too until up us use using ve very via want was we were what when where which while who whom whose why will
with would you your yours d m s t don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn
`

const STOP_WORDS: ReadonlySet<string> = new Set(QUESTION_WORDS.trim().split(/\s+/))

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
