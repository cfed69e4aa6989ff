// The result of one check of `doctor`. Keys that the project offers are among these: a person decides in the
// terminal whether to trust one, after comparing the fingerprint with its owner.
import type { Check } from 'ryekit'
import { Foreign } from './basics.tsx'

const MARKS = { ok: '✓', note: 'i', problem: '✕' } as const
const COLOURS = { ok: 'verified', note: 'unsigned', problem: 'tampered' } as const

export function isOffer({ name }: Check): boolean {
  return name === 'offered key' || name === 'old key'
}

export function Checked({ check }: { check: Check }) {
  const { name, status, message, fix } = check
  const [colour, mark] = isOffer(check) ? ['untrusted', '!'] : [COLOURS[status], MARKS[status]]
  return (
    <>
      <span class={`trust trust-${colour}`}>
        <span aria-hidden="true">{mark}</span> {name}
      </span>
      <span class="row-text">
        <Foreign text={message} />
        {fix && <code class="fix">{fix}</code>}
      </span>
    </>
  )
}
