/** What a template is filled with. */
export interface TemplateFacts {
  readonly name: string
  readonly category: string
  readonly description: string
}
