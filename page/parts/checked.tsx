// What `doctor` says of one thing. A key that the project offers is among them: whom to trust is decided in the terminal, after the
// fingerprint was compared with its owner.
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
