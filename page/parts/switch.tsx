// A choice of one among a few words.

interface SwitchProps<Word extends string> {
  readonly label: string
  readonly words: readonly Word[]
  readonly chosen: string
  readonly onChoose: (word: Word) => void
  /** The label of the empty word. Default: `all`. */
  readonly none?: string
}

export function Switch<Word extends string>({
  label,
  words,
  chosen,
  onChoose,
  none = 'all',
}: SwitchProps<Word>) {
  return (
    <fieldset class="switch" aria-label={label}>
      {words.map(word => (
        <button key={word} type="button" aria-pressed={chosen === word} onClick={() => onChoose(word)}>
          {word || none}
        </button>
      ))}
    </fieldset>
  )
}
