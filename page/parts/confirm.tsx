// Asks before something is run or signed. The browser's own dialog keeps the focus inside, and Escape closes
// it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Question {
  readonly title: string
  readonly action: string
  readonly children: ComponentChildren
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

export function Confirm({ title, action, children, onConfirm, onCancel }: Question) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title" class="confirm-title">
        {title}
      </h2>
      {children}
      <div class="decide">
        <button type="button" class="button button-main" onClick={onConfirm}>
          {action}
        </button>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
