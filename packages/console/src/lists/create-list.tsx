// Creates an empty list, and opens it.
import type { List } from "@footfall/sdk"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { ChoiceField, TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { isolated } from "../ui/isolated.ts"
import { useWrite } from "../ui/use-write.ts"
import { listWords } from "./words.ts"

export const CreateList = ({ onClose }: { readonly onClose: () => void }) => {
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [subject, setSubject] = useState<List["subject"]>("companies")
  const create = useWrite({
    write: () => footfall.lists.create({ name: name.trim(), subject }),
    changes: [["lists"]],
    notice: (list) => ({ text: isolated`Created list ${list.name}` }),
    onDone: ({ id }) => {
      onClose()
      void navigate({
        to: "/lists/$listId",
        params: { listId: id },
        search: {},
      })
    },
  })
  return (
    <FormDialog
      title="Create a list"
      onClose={onClose}
      verb="Create"
      write={create}
      failure="No list was created"
      isReady={name.trim() !== ""}
      onSubmit={() => create.mutate()}
    >
      <TextField
        label="Name"
        hint="For example Target accounts."
        required
        maxLength={160}
        autoFocus
        value={name}
        onValue={setName}
      />
      <ChoiceField
        label="Of"
        choices={(["companies", "people"] as const).map((value) => ({
          value,
          text: listWords[value].many,
        }))}
        value={subject}
        onValue={setSubject}
        hint={`${listWords[subject].holds} This never changes.`}
      />
    </FormDialog>
  )
}
