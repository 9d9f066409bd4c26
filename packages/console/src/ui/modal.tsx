// A dialog that uses the browser's own element, which traps focus and closes on Escape. Dialog libraries insert a style
// element, which the content security policy blocks.
import { useEffect, useId, useRef, type ReactNode } from "react"
import { Button } from "./button.tsx"
import { Icon } from "./icon.tsx"

export interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Escape doesn't close it. */
  readonly isLasting?: boolean
  /** A write is pending and closing wouldn't stop it, so the dialog stays open until it ends. */
  readonly isBusy?: boolean
  readonly isWide?: boolean
  /** Fills the window, for a form that needs a page. */
  readonly isWhole?: boolean
  /** The user typed or chose something in it. */
  readonly onTouched?: () => void
}

export const Modal = ({
  title,
  onClose,
  children,
  isLasting = false,
  isBusy = false,
  isWide = false,
  isWhole = false,
  onTouched,
}: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const escape = (): void => {
    if (!isLasting && !isBusy) onClose()
  }
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    element?.querySelector<HTMLElement>(":is(input, textarea, select)")?.focus()
    return () => {
      element?.close()
      // By now the element has left the document, so the browser no longer returns the focus.
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={`dialog ${isWide ? "wide" : ""} ${isWhole ? "whole" : ""}`}
      aria-labelledby={id}
      onChange={onTouched}
      onCancel={(event) => {
        event.preventDefault()
        escape()
      }}
      // A second Escape would close it without asking.
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.preventDefault()
        event.stopPropagation()
        escape()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        {!isLasting && (
          <Button
            kind="plain"
            className="icon"
            disabled={isBusy}
            onClick={onClose}
            aria-label="Close"
          >
            <Icon name="x" />
          </Button>
        )}
      </div>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
