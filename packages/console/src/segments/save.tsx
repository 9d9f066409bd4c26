// Saves a rule as a new segment, updates a segment, or deletes one.
import type { RuleAst, Segment } from "@footfall/sdk"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

interface SaveProps {
  readonly segment: Segment | undefined
  readonly subject: Segment["subject"]
  /** Undefined while the rule is incomplete. */
  readonly rule: RuleAst | undefined
  /** Whether the rule differs from the segment's. */
  readonly isChanged: boolean
}

export const Save = ({ segment, subject, rule, isChanged }: SaveProps) => {
  const [opened, setOpened] = useState<"name" | "delete" | null>(null)
  const close = () => setOpened(null)
  const update = useWrite({
    write: ({ id, ruleAst }: { readonly id: string; readonly ruleAst: RuleAst }) =>
      footfall.segments.update(id, { ruleAst }),
    changes: [["segments"], ["people"], ["companies"]],
    notice: ({ name }) => ({ text: isolated`Saved view ${name}` }),
  })
  return (
    <>
      <div className="row">
        {segment !== undefined && (
          <Button
            kind="primary"
            isBusy={update.isPending}
            disabled={rule === undefined || !isChanged}
            onClick={() => {
              if (rule !== undefined) update.mutate({ id: segment.id, ruleAst: rule })
            }}
          >
            Save the changes
          </Button>
        )}
        <Button
          kind={segment === undefined ? "primary" : "normal"}
          disabled={rule === undefined}
          onClick={() => setOpened("name")}
        >
          Save as a view…
        </Button>
        {segment !== undefined && (
          <Button isDanger onClick={() => setOpened("delete")}>
            Delete…
          </Button>
        )}
      </div>
      <Problem error={update.error} title="The view was not saved" />
      {opened === "name" && rule !== undefined && (
        <SaveAs rule={rule} subject={subject} onClose={close} />
      )}
      {opened === "delete" && segment !== undefined && (
        <DeleteSegment segment={segment} onClose={close} />
      )}
    </>
  )
}

interface SaveAsProps {
  readonly subject: Segment["subject"]
  readonly rule: RuleAst
  readonly onClose: () => void
}

const SaveAs = ({ rule, subject, onClose }: SaveAsProps) => {
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  const create = useWrite({
    write: () =>
      footfall.segments.create({
        name: name.trim(),
        description: description.trim() === "" ? null : description.trim(),
        subject,
        ruleAst: rule,
      }),
    changes: [["segments"]],
    notice: (segment) => ({ text: isolated`Created view ${segment.name}` }),
    onDone: ({ id }) => {
      onClose()
      return navigate({ to: "/segments/$segmentId", params: { segmentId: id } })
    },
  })
  return (
    <FormDialog
      title="Save as a view"
      onClose={onClose}
      verb="Save"
      write={create}
      failure="The view was not created"
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <TextField
        label="Description"
        hint="Shown when you hover over the view."
        maxLength={500}
        value={description}
        onValue={setDescription}
      />
    </FormDialog>
  )
}

interface DeleteProps {
  readonly segment: Segment
  readonly onClose: () => void
}

const DeleteSegment = ({ segment: { id, name, subject }, onClose }: DeleteProps) => {
  const navigate = useNavigate()
  const remove = useWrite({
    write: () => footfall.segments.delete(id),
    changes: [["segments"]],
    notice: () => ({ text: isolated`Deleted view ${name}` }),
    onDone: () => navigate({ to: subject === "people" ? "/people" : "/companies" }),
  })
  return (
    <Confirm
      title={isolated`Delete view ${name}?`}
      verb="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>The {subject} it matches stay. A view that an alert uses can't be deleted.</p>
    </Confirm>
  )
}
