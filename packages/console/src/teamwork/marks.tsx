// Who looks after a person or a company, and its tags.
import type { Company, Visitor } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { useOwners, withOwner } from "./owners.ts"
import { changesOf, changeSubject, type Subject } from "./subject.ts"
import "./teamwork.css"

/** Characters of a tag. spec 10.3 */
const tagLengthMax = 50

interface MarksProps {
  readonly subject: Subject
  readonly record: Pick<Company | Visitor, "owner" | "tags">
}

export const Marks = ({ record, subject }: MarksProps) => {
  const { canWrite } = useMe()
  const { owner, tags } = record
  if (!canWrite) {
    if (owner === null && tags.length === 0) return null
    return (
      <section className="stack" aria-label="Owner and tags">
        {owner !== null && <p>Owner: {owner.name ?? owner.email}</p>}
        {tags.length > 0 && (
          <p className="row">
            {tags.map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
          </p>
        )}
      </section>
    )
  }
  return (
    <section className="stack" aria-label="Owner and tags">
      <Owner record={record} subject={subject} />
      <Tags record={record} subject={subject} />
    </section>
  )
}

const Owner = ({ record: { owner }, subject }: MarksProps) => {
  const owners = useOwners()
  const write = useWrite({
    write: (ownerId: string | null) => changeSubject(subject, { ownerId }),
    changes: changesOf(subject),
  })
  const shown = write.isPending ? (write.variables ?? "") : (owner?.id ?? "")
  return (
    <>
      <ChoiceField
        label="Owner"
        choices={[{ value: "", text: "No one" }, ...withOwner(owners, owner)]}
        value={shown}
        onValue={(id) => write.mutate(id === "" ? null : id)}
      />
      <Problem error={write.error} title="The owner is not changed" />
    </>
  )
}

const Tags = ({ record: { tags }, subject }: MarksProps) => {
  const id = useId()
  const [text, setText] = useState("")
  const { data: known = [] } = useQuery({
    queryKey: ["tags", subject.kind],
    queryFn: ({ signal }) => footfall.tags.list({ subject: subject.kind }, { signal }),
    staleTime: 60_000,
  })
  const write = useWrite({
    write: (changed: ReadonlyArray<string>) => changeSubject(subject, { tags: changed }),
    changes: changesOf(subject),
    onDone: () => setText(""),
  })
  const typed = text.split(",").map((tag) => tag.trim())
  const added = typed.filter((tag) => tag !== "")
  return (
    <div className="stack">
      <form
        className="field"
        onSubmit={(event) => {
          event.preventDefault()
          if (added.length > 0) write.mutate([...tags, ...added])
        }}
      >
        <label htmlFor={id}>Tags</label>
        {tags.length > 0 && (
          <ul className="row tags">
            {tags.map((tag) => (
              <li key={tag} className="tag">
                <span className="cut">{tag}</span>
                <button
                  type="button"
                  className="tag-off"
                  aria-label={`Remove the tag ${tag}`}
                  disabled={write.isPending}
                  onClick={() => write.mutate(tags.filter((each) => each !== tag))}
                >
                  ✕
                </button>
              </li>
            ))}
          </ul>
        )}
        <span className="row one-line">
          <input
            id={id}
            className="input"
            list={`${id}-known`}
            maxLength={tagLengthMax}
            placeholder="Add a tag"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" isBusy={write.isPending} disabled={added.length === 0}>
            Add
          </Button>
        </span>
        <datalist id={`${id}-known`}>
          {known
            .filter(({ tag }) => !tags.includes(tag))
            .map(({ tag }) => (
              <option key={tag} value={tag} />
            ))}
        </datalist>
      </form>
      <Problem error={write.error} title="The tags are not changed" />
    </div>
  )
}
