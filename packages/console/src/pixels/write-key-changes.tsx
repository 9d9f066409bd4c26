// Creates, rotates and revokes write keys, and shows a new key once.
import type { CreatedWriteKey, WriteKey, WriteKeyKind } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Confirm } from "../ui/confirm.tsx"
import { ChoiceField, TextField, type Choice } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { KeepDialog } from "../ui/keep-dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Snippets } from "./snippets.tsx"
import { isolated } from "../ui/isolated.ts"

const changes = [["write-keys"]]

const kinds: ReadonlyArray<Choice<WriteKeyKind>> = [
  { value: "server", text: "Server: secret, for a backend" },
  { value: "browser", text: "Browser: public, for a web page" },
]

interface CreateProps {
  readonly pixelId: string
  readonly onCreated: (created: CreatedWriteKey) => void
  readonly onClose: () => void
}

export const CreateWriteKey = ({ pixelId, onCreated, onClose }: CreateProps) => {
  const [name, setName] = useState("")
  const [kind, setKind] = useState<WriteKeyKind>("server")
  const create = useWrite({
    write: () => footfall.pixels.writeKeys.create(pixelId, { name: name.trim(), kind }),
    changes,
    notice: ({ key }) => ({ text: isolated`Created write key ${key.name}` }),
    onDone: onCreated,
  })
  return (
    <FormDialog
      title="Create a write key"
      onClose={onClose}
      verb="Create"
      write={create}
      failure="No key was created"
      onSubmit={() => create.mutate()}
    >
      <TextField
        label="Name"
        hint="What uses it, for example Segment."
        required
        maxLength={100}
        autoFocus
        value={name}
        onValue={setName}
      />
      <ChoiceField
        label="Kind"
        choices={kinds}
        value={kind}
        onValue={setKind}
        hint="The server trusts what arrives with a server key. Never put it in a web page."
      />
    </FormDialog>
  )
}

/** The key to replace, and in how many hours it expires. */
interface Old {
  readonly key: WriteKey
  readonly graceHours: number
}

export const useEndOld = (pixelId: string) =>
  useWrite({
    write: ({ key, graceHours }: Old) =>
      footfall.pixels.writeKeys.revoke(pixelId, key.id, { graceHours }),
    changes,
    notice: (_, { key }) => ({ text: isolated`Rotated ${key.name}` }),
  })

interface KeepProps {
  readonly created: CreatedWriteKey
  /** Ends the old key after a rotation. */
  readonly endOld: ReturnType<typeof useEndOld>
  readonly onClose: () => void
}

export const KeepWriteKey = ({ created, endOld, onClose }: KeepProps) => (
  <KeepDialog
    what="write key"
    secret={created.writeKey}
    isBusy={endOld.isPending}
    more={
      <>
        <Problem
          error={endOld.error}
          title="Both keys work, because the old one was not revoked"
          onRetry={() => {
            if (endOld.variables !== undefined) endOld.mutate(endOld.variables)
          }}
        />
        <Snippets writeKey={created.writeKey} kind={created.key.kind} />
      </>
    }
    onClose={onClose}
  >
    Copy it now and give it to {created.key.name}.
  </KeepDialog>
)

const graces: ReadonlyArray<Choice<"0" | "1" | "24" | "72">> = [
  { value: "0", text: "now" },
  { value: "1", text: "in 1 hour" },
  { value: "24", text: "in 24 hours" },
  { value: "72", text: "in 72 hours" },
]

export interface EndWriteKeyProps {
  readonly pixelId: string
  readonly writeKey: WriteKey
  /** Whether a new key replaces this one. */
  readonly isRotation: boolean
  /** After a rotation the old key still has to be ended. */
  readonly onRotated: (created: CreatedWriteKey, old: Old) => void
  readonly onClose: () => void
}

export const EndWriteKey = ({
  pixelId,
  writeKey,
  isRotation,
  onRotated,
  onClose,
}: EndWriteKeyProps) => {
  const { id, kind, name } = writeKey
  const [grace, setGrace] = useState<"0" | "1" | "24" | "72">(isRotation ? "24" : "0")
  const old = { key: writeKey, graceHours: Number(grace) }
  const end = useWrite({
    write: () => footfall.pixels.writeKeys.revoke(pixelId, id, { graceHours: old.graceHours }),
    changes,
    notice: () => ({ text: isolated`Revoked ${name}` }),
    onDone: onClose,
  })
  // Show the new secret before anything else can fail.
  const replace = useWrite({
    write: () => footfall.pixels.writeKeys.create(pixelId, { name, kind }),
    changes,
    onDone: (created) => {
      onClose()
      onRotated(created, old)
    },
  })
  const write = isRotation ? replace : end
  return (
    <Confirm
      title={isRotation ? `Rotate ${name}?` : `Revoke ${name}?`}
      verb={isRotation ? "Create new key" : "Revoke"}
      isBusy={write.isPending}
      error={write.error}
      onConfirm={() => write.mutate()}
      onClose={onClose}
    >
      <p>
        {isRotation
          ? "You get a new key with the same name. Replace this key before it ends."
          : "Events sent with it are rejected from then on. This can't be undone."}
      </p>
      <ChoiceField label="This key ends" choices={graces} value={grace} onValue={setGrace} />
    </Confirm>
  )
}
