// A signing secret, shown once.
import { KeepDialog } from "../ui/keep-dialog.tsx"

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <KeepDialog what="signing secret" secret={secret} onClose={onClose}>
    The receiving system uses it to check that requests come from Footfall. Copy it now for whoever
    runs that system, and pass it on as you would a password. You can make a new one at any time.
  </KeepDialog>
)
