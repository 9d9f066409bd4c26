// A secret that is shown once, and kept by whoever reads it.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Snippet } from "./copy.tsx"
import { Dialog } from "./dialog.tsx"

interface KeepDialogProps {
  /** What it is, for example `API key`. */
  readonly what: string
  readonly secret: string
  /** Where it belongs. */
  readonly children: ReactNode
  /** What to do with it, below. */
  readonly more?: ReactNode
  /** Something that belongs to it is still on its way. */
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
    <p>It is shown this once. {children}</p>
    <Snippet text={secret} label={what} />
    {more}
    <div className="row">
      <Button kind="primary" isBusy={isBusy} onClick={onClose}>
        I have it
      </Button>
    </div>
  </Dialog>
)
