// Scrolls content that is wider than its place.
import type { ComponentChildren } from 'preact'

export function Scroller({
  label,
  class: name,
  children,
}: {
  label: string
  class: string
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div class={name} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
