// A key that the project offers. Whom to trust is decided in the terminal, after the fingerprint was compared with its owner.
import type { Check } from 'ryekit'
import { Foreign } from './basics.tsx'

export function isOffer({ name }: Check): boolean {
  return name === 'offered key' || name === 'old key'
}

export function Offer({ check: { name, message, fix } }: { check: Check }) {
  return (
    <>
      <span class="trust trust-untrusted">
        <span aria-hidden="true">!</span> {name}
      </span>
      <span class="row-text">
        <Foreign text={message} />
        {fix && <code class="fix">{fix}</code>}
      </span>
    </>
  )
}
