// A dialog with a form: its fields, what went wrong, one button that sends it, and Cancel.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Dialog } from "./dialog.tsx"
import { Problem } from "./problem.tsx"

interface FormDialogProps {
  readonly title: string
  /** On the button that sends it. */
  readonly verb: string
  readonly write: { readonly isPending: boolean; readonly error: unknown }
  /** What to say when the write failed, for example `No key was created`. */
  readonly failure: string
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** False: it can't be sent yet. */
  readonly isReady?: boolean
  readonly isWide?: boolean
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
  children,
}: FormDialogProps) => (
  <Dialog title={title} onClose={onClose} isWide={isWide} isBusy={write.isPending}>
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <Problem error={write.error} title={failure} />
      <div className="row">
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
