// Confirms an action that can't be undone or that others will notice.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Dialog } from "./dialog.tsx"
import { Problem } from "./problem.tsx"

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The verb on the button. */
  readonly verb: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly isBusy: boolean
  readonly error: unknown
  /** False while the user still has to type something. */
  readonly isReady?: boolean
  /** The action can be undone and only needs a confirmation. */
  readonly isSafe?: boolean
}

export const Confirm = ({
  title,
  children,
  verb,
  onConfirm,
  onClose,
  isBusy,
  error,
  isReady = true,
  isSafe = false,
}: ConfirmProps) => (
  <Dialog title={title} onClose={onClose} isBusy={isBusy}>
    {children}
    <Problem error={error} />
    <div className="row">
      <Button
        kind="primary"
        isDanger={!isSafe}
        isBusy={isBusy}
        disabled={!isReady}
        onClick={onConfirm}
      >
        {verb}
      </Button>
      <Button disabled={isBusy} onClick={onClose}>
        Cancel
      </Button>
    </div>
  </Dialog>
)
