// What a member can do with a source: edit it, pause it, replace its URL, and delete it.
import type { Inbound } from "@footfall/sdk"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { ChoiceField, type Choice } from "../ui/field.tsx"
import { isolated } from "../ui/isolated.ts"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { KeepUrl } from "./keep-url.tsx"
import { mappingOf } from "./mapping.ts"
import { presetOf, senderOf } from "./presets.ts"
import { SourceForm, type SourceDraft } from "./source-form.tsx"

const changes = [["inbound"]]

interface ChangeProps {
  readonly source: Inbound
  readonly onClose: () => void
}

export const Changes = ({ source }: { readonly source: Inbound }) => {
  const { id, name, status } = source
  const [opened, setOpened] = useState<"edit" | "rotate" | "delete" | null>(null)
  const close = (): void => setOpened(null)
  const isPaused = status === "paused"
  const pause = useWrite({
    write: () => footfall.inbound.update(id, { status: isPaused ? "active" : "paused" }),
    changes,
    notice: () => ({ text: isPaused ? isolated`Resumed ${name}` : isolated`Paused ${name}` }),
  })
  return (
    <>
      <Button onClick={() => setOpened("edit")}>Edit</Button>
      <Button isBusy={pause.isPending} onClick={() => pause.mutate()}>
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button onClick={() => setOpened("rotate")}>Replace the URL…</Button>
      <Button isDanger onClick={() => setOpened("delete")}>
        Delete…
      </Button>
      {pause.error !== null && (
        <Dialog title={isPaused ? "It was not resumed" : "It was not paused"} onClose={pause.reset}>
          <Problem error={pause.error} />
        </Dialog>
      )}
      {opened === "edit" && <Edit source={source} onClose={close} />}
      {opened === "rotate" && <Rotate source={source} onClose={close} />}
      {opened === "delete" && <Delete source={source} onClose={close} />}
    </>
  )
}

const Edit = ({ onClose, source }: ChangeProps) => {
  const edit = useWrite({
    write: ({ consent, isSecretRemoved, mapping, name, pixelId, secret }: SourceDraft) =>
      footfall.inbound.update(source.id, {
        name: name.trim(),
        consent,
        // The present site may have been deleted, and would be refused.
        ...(pixelId === source.pixelId ? {} : { pixelId }),
        ...(isSecretRemoved ? { signingSecret: null } : secret !== "" && { signingSecret: secret }),
        ...(mapping === null ? {} : { mapping: mappingOf(mapping) }),
      }),
    changes,
    notice: (changed) => ({ text: isolated`Saved ${changed.name}` }),
    onDone: onClose,
  })
  return (
    <SourceForm
      title={isolated`Edit ${source.name}`}
      verb="Save"
      failure="The source was not saved"
      preset={presetOf(source.preset)}
      source={source}
      write={edit}
      onSubmit={edit.mutate}
      onClose={onClose}
    />
  )
}

const graces: ReadonlyArray<Choice<"0" | "1" | "24" | "72">> = [
  { value: "0", text: "stops working now" },
  { value: "1", text: "works for 1 hour" },
  { value: "24", text: "works for 24 hours" },
  { value: "72", text: "works for 72 hours" },
]

const Rotate = ({ onClose, source }: ChangeProps) => {
  const [grace, setGrace] = useState<"0" | "1" | "24" | "72">("24")
  const rotate = useWrite({
    write: () => footfall.inbound.rotate(source.id, { graceHours: Number(grace) }),
    changes,
  })
  if (rotate.data !== undefined) {
    return <KeepUrl source={rotate.data.inbound} url={rotate.data.url} onClose={onClose} />
  }
  return (
    <Confirm
      title="Replace the URL?"
      verb="Create a new URL"
      isSafe={grace !== "0"}
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>Paste the new URL into {senderOf(source.preset)} before the present one ends.</p>
      <ChoiceField
        label="The present URL"
        choices={graces}
        value={grace}
        onValue={setGrace}
        hint={
          source.formerUrlUntil === null
            ? undefined
            : "The URL before it still works, and stops working now."
        }
      />
    </Confirm>
  )
}

const Delete = ({ onClose, source }: ChangeProps) => {
  const navigate = useNavigate()
  const remove = useWrite({
    write: () => footfall.inbound.delete(source.id),
    changes,
    notice: () => ({ text: isolated`Deleted source ${source.name}` }),
    onDone: () => navigate({ to: "/pixels/inbound", search: {} }),
  })
  return (
    <Confirm
      title={isolated`Delete ${source.name}?`}
      verb="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        Its URL stops working, and its history goes. The people and visits that it brought stay.
      </p>
      <p className="soft">
        To stop it for a while, pause it instead, so that {senderOf(source.preset)} stays connected.
      </p>
    </Confirm>
  )
}
