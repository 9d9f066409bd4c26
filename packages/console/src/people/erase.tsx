// Erases a person. The user must type the email address, because this can't be undone.
import type { Visitor } from "@footfall/sdk"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { CheckField, TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { saveFile } from "../ui/save-file.ts"
import { useWrite } from "../ui/use-write.ts"
import { nameOf } from "./name.ts"
import { useSuppress } from "./why-suppressed.tsx"
import { isolated } from "../ui/isolated.ts"

export const Erase = ({ person }: { readonly person: Visitor }) => {
  const [isOpen, setOpen] = useState(false)
  const suppress = useSuppress()
  const { canManage } = useMe()
  const { email, emailHash } = person
  const archive = useWrite({
    write: async () => {
      const parts: Array<Uint8Array<ArrayBuffer>> = []
      for await (const part of await footfall.visitors.archive(emailHash)) {
        parts.push(new Uint8Array(part))
      }
      saveFile(`${emailHash.slice(0, 8)}.zip`, parts, "application/zip")
    },
    changes: [["audit-log"]],
    notice: () => ({ text: isolated`Downloaded everything kept about ${nameOf(person)}` }),
  })
  return (
    <section className="stack" aria-label="Suppress and erase">
      <div className="row">
        {email !== null && !person.suppressed && (
          <Button isBusy={suppress.isPending} onClick={() => suppress.mutate(email)}>
            Suppress this person
          </Button>
        )}
        {canManage && (
          <Button isBusy={archive.isPending} onClick={() => archive.mutate()}>
            Download everything kept
          </Button>
        )}
        <Button isDanger onClick={() => setOpen(true)}>
          Erase…
        </Button>
      </div>
      <Problem error={suppress.error ?? archive.error} />
      {isOpen && <EraseDialog person={person} onClose={() => setOpen(false)} />}
    </section>
  )
}

interface EraseDialogProps {
  readonly person: Visitor
  readonly onClose: () => void
}

const EraseDialog = ({ person, onClose }: EraseDialogProps) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [typed, setTyped] = useState("")
  const [isSuppressing, setSuppressing] = useState(false)
  const expected = person.email ?? person.emailHash.slice(0, 8)
  const erase = useWrite({
    write: () => footfall.visitors.erase(person.emailHash, { suppress: isSuppressing }),
    changes: [["people"], ["companies"], ["overview"], ["suppression"], ["account"]],
    edit: (row) => ((row as Partial<Visitor>).emailHash === person.emailHash ? undefined : row),
    notice: () => ({ text: isolated`Erased ${nameOf(person)}` }),
    onDone: async () => {
      await navigate({ to: "/people", search: true })
      // Any cached query that isn't shown may contain the person: their page, a company, a sample or a payload.
      client.removeQueries({ type: "inactive" })
    },
  })
  return (
    <Confirm
      title={isolated`Erase ${nameOf(person)}?`}
      verb="Erase permanently"
      isReady={typed.trim().toLowerCase() === expected.toLowerCase()}
      isBusy={erase.isPending}
      error={erase.error}
      onConfirm={() => erase.mutate()}
      onClose={onClose}
    >
      <p>
        This erases the profile, every address, all sessions and all events. It can't be undone. The
        server keeps a keyed hash, so that a new visit does not bring the person back.
      </p>
      <TextField
        label={`Type ${expected} to confirm`}
        autoComplete="off"
        autoFocus
        value={typed}
        onValue={setTyped}
      />
      <CheckField
        label="Also suppress every known address"
        value={isSuppressing}
        onValue={setSuppressing}
      />
    </Confirm>
  )
}
