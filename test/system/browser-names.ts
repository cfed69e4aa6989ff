// What tests use of a browser in the functions that run in its page. Programs for Node are checked without the types of browsers.

export interface BrowserElement {
  readonly tagName: string
  readonly id: string
  readonly scrollWidth: number
  /** Of a progress bar. */
  readonly value?: number
  /** Of a link. */
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
  /** Of a canvas. */
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
