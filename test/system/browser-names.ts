// The browser API that tests use in functions that run in the page. Programs for Node are checked without
// browser types.

export interface BrowserElement {
  readonly tagName: string
  readonly id: string
  readonly scrollWidth: number
  /** Only a progress bar has it. */
  readonly value?: number
  /** Only a link has it. */
  readonly protocol: string
  src: string
  textContent: string
  innerHTML: string
  onload: () => void
  onerror: () => void
  closest(selector: string): BrowserElement | null
  getAttribute(name: string): string | null
  getAttributeNames(): string[]
  append(child: BrowserElement): void
  click(): void
  /** Only a canvas has it. */
  toDataURL?(): string
}

export interface BrowserDocument {
  hasFocus(): boolean
  readonly body: BrowserElement
  readonly documentElement: BrowserElement
  readonly activeElement: BrowserElement | null
  createElement(name: string): BrowserElement
  querySelector(selector: string): BrowserElement | null
  querySelectorAll(selector: string): readonly BrowserElement[]
}
