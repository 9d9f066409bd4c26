// A question before something that can't be undone, or that others will notice.
import type { ReactNode } from "react"
import { Button } from "./button.tsx"
import { Dialog } from "./dialog.tsx"
import { Problem } from "./problem.tsx"

interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** What the button does, as a verb. */
  readonly verb: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly isBusy: boolean
  readonly error: unknown
  /** False while something has to be typed first. */
  readonly isReady?: boolean
  /** It can be undone, and only wants to be meant. */
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
