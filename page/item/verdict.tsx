// Whether an item may be used, in plain words: who signed it, when, and what to do.
import type { ShowAnswer } from 'ryekit'
import { explainVerdict, Foreign, Sentence, Time, Trust } from '../parts/basics.tsx'
import { useAnswer } from '../state.tsx'

/** Names the owner of a fingerprint; `…` until the keys have arrived. */
export function useOwners(): (fingerprint: string) => string {
  const { answer } = useAnswer('keys list', {}, ['trust'])
  return fingerprint => {
    if (!answer) return '…'
    const key = answer.keys.find(known => known.fingerprint === fingerprint)
    if (key) return key.own ? `you (${key.owner})` : key.owner
    return answer.revoked.some(known => known.fingerprint === fingerprint)
      ? `a revoked key, ${fingerprint}`
      : `an unknown key, ${fingerprint}`
  }
}

export function VerdictCard({ item: { trust } }: { item: ShowAnswer }) {
  const ownerOf = useOwners()
  const { says, todo } = explainVerdict(trust, ownerOf)
  return (
    <section class={`card verdict verdict-${trust.status}`}>
      <h2>
        Trust <Trust status={trust.status} />
      </h2>
      <p>
        <Foreign text={says} />
      </p>
      {trust.reason && trust.status !== 'tampered' && trust.status !== 'unsigned' && (
        <p class="faint">
          <Foreign text={trust.reason} />
        </p>
      )}
      {todo && (
        <p>
          <Sentence text={todo} />
        </p>
      )}
      {trust.rolled_back_from && <p class="notice">Something newer was used before.</p>}
      <dl class="facts">
        {trust.signer && trust.signer !== 'system' && (
          <div>
            <dt>{trust.status === 'verified' ? 'signer' : 'in the name of'}</dt>
            <dd>
              <Foreign text={ownerOf(trust.signer)} />{' '}
              {!ownerOf(trust.signer).includes(trust.signer) && <code>{trust.signer}</code>}
            </dd>
          </div>
        )}
        {trust.timestamp && (
          <div>
            <dt>signed</dt>
            <dd>
              <Time at={trust.timestamp} />
            </dd>
          </div>
        )}
        {trust.coverage === 'partial' && (
          <div>
            <dt>covers</dt>
            <dd>a part of the file only: an old signature</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
