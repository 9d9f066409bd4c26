// A dialog: the browser's own, which keeps the focus inside and closes on Escape. Libraries for it write a style
// element into the page, which the content security policy refuses.
import { useEffect, useId, useRef, type ReactNode } from "react"
import { Button } from "./button.tsx"

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Escape does not close it. */
  readonly isLasting?: boolean
  readonly isWide?: boolean
}

export const Dialog = ({
  title,
  onClose,
  children,
  isLasting = false,
  isWide = false,
}: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>(":is(input, textarea, select)")?.focus()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${isWide ? "wide" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isLasting) onClose()
      }}
      // A second Escape would close it without asking.
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        event.stopPropagation()
        if (!isLasting) onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isLasting && (
          <Button kind="plain" onClick={onClose} aria-label="Close">
            ✕
          </Button>
        )}
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
