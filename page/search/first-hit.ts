// Enter opens the first hit of what was typed. Whoever types fast presses it before there is one.

let asked: string | undefined

/** Opens the first hit of the query, at once or when it comes. */
export function openFirst(query: string): void {
  asked = query.trim()
  const shown = document.querySelector<HTMLElement>('.results-frame')
  if (shown?.dataset.query === asked) openIfAsked(asked)
}

/** Called with the query whose hits are shown. */
export function openIfAsked(query: string): void {
  if (asked !== query) return
  asked = undefined
  document.querySelector<HTMLElement>('.results a')?.click()
}

/** Another key, another wish. */
export function forgetFirst(): void {
  asked = undefined
}
