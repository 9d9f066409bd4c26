// A signing secret, shown once.
import { KeepDialog } from "../ui/keep-dialog.tsx"

interface SecretDialogProps {
  readonly secret: string
  readonly onClose: () => void
}

export const SecretDialog = ({ secret, onClose }: SecretDialogProps) => (
  <KeepDialog what="signing secret" secret={secret} onClose={onClose}>
    Your receiver verifies events with it: copy it now and keep it where your receiver keeps
    secrets.
  </KeepDialog>
)
