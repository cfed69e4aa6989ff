// The colours of the style sheet for a canvas, which cannot use the style sheet itself.
import type { Colours } from './draw.ts'

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: colour('text'),
    faint: colour('faint'),
    line: colour('line-strong'),
    panel: colour('panel'),
    accent: colour('accent'),
    types: {
      directive: colour('directive'),
      tool: colour('tool'),
      knowledge: colour('knowledge'),
      skill: colour('skill'),
    },
  }
}
