// Shows a secret once for the user to save.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Snippet } from "./copy.tsx"
import { Dialog } from "./dialog.tsx"

interface KeepDialogProps {
  /** What it is, for example `API key`. */
  readonly what: string
  readonly secret: string
  /** Where to put it. */
  readonly children: ReactNode
  /** What to do with it. Shown below. */
  readonly more?: ReactNode
  /** A related request is still pending. */
  readonly isBusy?: boolean
  readonly onClose: () => void
}

export const KeepDialog = ({
  what,
  secret,
  children,
  more,
  isBusy = false,
  onClose,
}: KeepDialogProps) => (
  <Dialog title={`Keep the ${what}`} onClose={onClose} isWide={more !== undefined} isBusy={isBusy}>
    <p>It is shown only once. {children}</p>
    <Snippet text={secret} label={what} />
    {more}
    <div className="row">
      <Button kind="primary" isBusy={isBusy} onClick={onClose}>
        I saved it
      </Button>
    </div>
  </Dialog>
)
