// What the team has noted about a person or a company: newest first, with the user's own to edit.
import type { Note, NoteListMeta } from "@footfall/sdk"
import { useState } from "react"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { AreaField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Rest } from "../ui/rest.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { notesOf, type Subject } from "./subject.ts"
import "./teamwork.css"

const keyOf = ({ id, kind }: Subject) => ["notes", kind, id]

export const Notes = ({ subject }: { readonly subject: Subject }) => {
  const { canWrite } = useMe()
  const notes = usePages<Note, NoteListMeta>({
    key: keyOf(subject),
    load: (cursor, signal) => notesOf(subject).list(subject.id, { cursor }, { signal }),
  })
  const { error, isPending, retry, rows } = notes
  return (
    <section className="stack" aria-label="Notes">
      <h2>Notes</h2>
      {canWrite && <NewNote subject={subject} />}
      <Problem error={error} onRetry={retry} />
      {!isPending && error === null && rows.length === 0 && (
        <p className="soft">No one has noted anything yet.</p>
      )}
      <ul className="stack">
        {rows.map((note) => (
          <OneNote key={note.id} note={note} subject={subject} />
        ))}
      </ul>
      <Rest pages={notes} verb="Show older notes" />
    </section>
  )
}

const NewNote = ({ subject }: { readonly subject: Subject }) => {
  const [text, setText] = useState("")
  const add = useWrite({
    write: async () => notesOf(subject).create(subject.id, text),
    changes: [keyOf(subject)],
    onDone: () => setText(""),
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <AreaField label="New note" value={text} onValue={setText} />
      <div className="row">
        <Button type="submit" isBusy={add.isPending} disabled={text.trim() === ""}>
          Add note
        </Button>
      </div>
      <Problem error={add.error} title="The note is not saved" />
    </form>
  )
}

interface NoteProps {
  readonly note: Note
  readonly subject: Subject
}

const OneNote = ({ note, subject }: NoteProps) => {
  const { canManage, canWrite, user } = useMe()
  const [opened, setOpened] = useState<"delete" | "edit" | null>(null)
  const { author, createdAt, text, updatedAt } = note
  const mayChange = canManage || (canWrite && author.kind === "member" && author.id === user.id)
  const close = () => setOpened(null)
  return (
    <li className="note">
      <p className="note-text">{text}</p>
      <p className="spread">
        <span className="soft small cut">
          {author.name ?? (author.kind === "key" ? "An API key" : "A former member")} ·{" "}
          <Time at={createdAt} />
          {updatedAt !== createdAt && " · edited"}
        </span>
        {mayChange && (
          <span className="row">
            <Button kind="plain" className="small" onClick={() => setOpened("edit")}>
              Edit
            </Button>
            <Button kind="plain" className="small" onClick={() => setOpened("delete")}>
              Delete
            </Button>
          </span>
        )}
      </p>
      {opened === "edit" && <EditNote note={note} subject={subject} onClose={close} />}
      {opened === "delete" && <DeleteNote note={note} subject={subject} onClose={close} />}
    </li>
  )
}

interface OpenedProps extends NoteProps {
  readonly onClose: () => void
}

const EditNote = ({ note, onClose, subject }: OpenedProps) => {
  const [text, setText] = useState(note.text)
  const save = useWrite({
    write: async () => notesOf(subject).update(subject.id, note.id, text),
    changes: [keyOf(subject)],
    onDone: onClose,
  })
  return (
    <FormDialog
      title="Edit the note"
      verb="Save"
      write={save}
      failure="The note is not saved"
      isReady={text.trim() !== ""}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <AreaField label="Note" value={text} onValue={setText} />
    </FormDialog>
  )
}

const DeleteNote = ({ note, onClose, subject }: OpenedProps) => {
  const remove = useWrite({
    write: async () => notesOf(subject).delete(subject.id, note.id),
    changes: [keyOf(subject)],
    onDone: onClose,
  })
  return (
    <Confirm
      title="Delete the note?"
      verb="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p className="note-text">{note.text.slice(0, 300)}</p>
    </Confirm>
  )
}
