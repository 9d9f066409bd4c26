// Renames and deletes a list. One that is in use can't be deleted: the dialog says what uses it.
import { ConflictError, type List } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { segmentsQuery, webhooksQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { isolated } from "../ui/isolated.ts"
import { useWrite } from "../ui/use-write.ts"
import { sizeText } from "./words.ts"

interface ChangeProps {
  readonly list: List
  readonly onClose: () => void
}

export const RenameList = ({ list, onClose }: ChangeProps) => {
  const [name, setName] = useState(list.name)
  const rename = useWrite({
    write: () => footfall.lists.update(list.id, { name: name.trim() }),
    changes: [["lists"]],
    notice: (renamed) => ({ text: isolated`Renamed the list to ${renamed.name}` }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Rename the list"
      onClose={onClose}
      verb="Rename"
      write={rename}
      failure="The list was not renamed"
      isReady={name.trim() !== ""}
      onSubmit={() => rename.mutate()}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
    </FormDialog>
  )
}

export const DeleteList = ({ list, onClose }: ChangeProps) => {
  const navigate = useNavigate()
  const remove = useWrite({
    write: () => footfall.lists.delete(list.id),
    notice: () => ({ text: isolated`Deleted list ${list.name}` }),
    changes: [["lists"]],
    onDone: () => navigate({ to: "/lists", search: {} }),
  })
  const { error } = remove
  if (error instanceof ConflictError && error.code === "LIST_IN_USE") {
    return <InUse list={list} error={error} onClose={onClose} />
  }
  return (
    <Confirm
      title={isolated`Delete ${list.name}?`}
      verb="Delete"
      isBusy={remove.isPending}
      error={error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>The list and its {sizeText(list)} will be gone. This can't be undone.</p>
    </Confirm>
  )
}

const InUse = ({ error, list, onClose }: ChangeProps & { readonly error: ConflictError }) => {
  const { data: segments = [] } = useQuery(segmentsQuery)
  const { data: webhooks = [] } = useQuery(webhooksQuery)
  const nameOf = (all: ReadonlyArray<{ readonly id: string; readonly name: string }>, id: string) =>
    all.find((one) => one.id === id)?.name ?? id
  const isInScore = Object(error.details)["score"] === true
  return (
    <Dialog title={isolated`${list.name} is in use`} onClose={onClose}>
      <p>The list was not deleted, because it is used by:</p>
      <ul className="lines">
        {error.segmentIds.map((id) => (
          <li key={id}>
            Segment{" "}
            <Link to="/segments/$segmentId" params={{ segmentId: id }} search={true}>
              {nameOf(segments, id)}
            </Link>
          </li>
        ))}
        {error.webhookIds.map((id) => (
          <li key={id}>
            Webhook{" "}
            <Link to="/webhooks/$webhookId" params={{ webhookId: id }} search={true}>
              {nameOf(webhooks, id)}
            </Link>
          </li>
        ))}
        {error.suppressionSourceIds.map((id) => (
          <li key={id}>A suppression source: footfall suppression sources get {id}</li>
        ))}
        {isInScore && <li>The score: footfall score show</li>}
      </ul>
      <p className="soft">Change or delete these first.</p>
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
