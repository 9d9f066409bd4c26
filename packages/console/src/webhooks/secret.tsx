// A signing secret, shown once.
import { KeepDialog } from "../ui/keep-dialog.tsx"

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <KeepDialog what="signing secret" secret={secret} onClose={onClose}>
    The receiving system uses it to check that requests come from Footfall. Give it to whoever runs
    that system, and treat it like a password. You can rotate it at any time.
  </KeepDialog>
)
