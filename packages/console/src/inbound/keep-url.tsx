// The URL of a source, shown once, with what to click at the vendor. That of a new one waits for the first request.
import type { Inbound } from "@footfall/sdk"
import { KeepDialog } from "../ui/keep-dialog.tsx"
import { FirstRequest } from "./first-request.tsx"
import { presetOf, senderOf } from "./presets.ts"

interface KeepUrlProps {
  readonly source: Inbound
  readonly url: string
  readonly isNew?: boolean
  readonly onClose: () => void
}

export const KeepUrl = ({ isNew = false, onClose, source, url }: KeepUrlProps) => (
  <KeepDialog
    what="URL"
    secret={url}
    more={
      <>
        <p className="soft">{presetOf(source.preset).steps}</p>
        {isNew && <FirstRequest source={source} />}
      </>
    }
    onClose={onClose}
  >
    Paste it into {senderOf(source.preset)}. Whoever has it can send, so treat it like a password.
  </KeepDialog>
)
