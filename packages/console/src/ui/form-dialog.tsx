// A dialog with a form: its fields, the error, a submit button and Cancel.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Dialog } from "./dialog.tsx"
import { Problem } from "./problem.tsx"

interface FormDialogProps {
  readonly title: string
  /** The verb on the submit button. */
  readonly verb: string
  readonly write: { readonly isPending: boolean; readonly error: unknown }
  /** Shown if the write failed, for example `No key was created`. */
  readonly failure: string
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** False if the form can't be submitted yet. */
  readonly isReady?: boolean
  readonly isWide?: boolean
  readonly isWhole?: boolean
  readonly children: ReactNode
}

export const FormDialog = ({
  title,
  verb,
  write,
  failure,
  onSubmit,
  onClose,
  isReady = true,
  isWide = false,
  isWhole = false,
  children,
}: FormDialogProps) => (
  <Dialog
    isForm
    title={title}
    onClose={onClose}
    isWide={isWide}
    isWhole={isWhole}
    isBusy={write.isPending}
  >
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Problem error={write.error} title={failure} />
      <div className="row form-actions">
        <Button kind="primary" type="submit" isBusy={write.isPending} disabled={!isReady}>
          {verb}
        </Button>
        <Button disabled={write.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  </Dialog>
)
