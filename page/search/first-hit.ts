// Enter opens the first hit of what was typed. People who type fast press it before there is one.

let asked: string | undefined

/** Opens the first hit of the query, now or when it arrives. */
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

/** Called when the query is edited: an Enter pressed before no longer counts. */
export function forgetFirst(): void {
  asked = undefined
}
