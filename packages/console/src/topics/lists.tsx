// Creates, edits, compares and deletes saved lists of topics.
import type { ListMeta, TopicList } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Empty } from "../ui/empty.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { plural, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { type ChosenTopic, TopicChoice, useTopicNames } from "./topic-choice.tsx"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { isolated } from "../ui/isolated.ts"
import "./topics.css"

export const TopicLists = () => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useState(false)
  const lists = usePages<TopicList, ListMeta>({
    key: ["topic-lists"],
    load: (cursor, signal) => footfall.topicLists.list({ cursor }, { signal }),
  })
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a list
    </Button>
  )
  return (
    <div className="topics-page">
      {lists.error !== null && lists.rows.length === 0 ? (
        <Problem error={lists.error} onRetry={lists.retry} />
      ) : lists.isPending ? (
        <Waiting />
      ) : lists.rows.length === 0 ? (
        <Empty title="No topic lists yet" action={create}>
          Use a list to keep related topics together, compare them, or build audiences from them.
        </Empty>
      ) : (
        <>
          <div className="row">{create}</div>
          <ul className="plots">
            {lists.rows.map((list) => (
              <ListCard key={list.id} list={list} />
            ))}
          </ul>
          <Rest pages={lists} verb="Show more lists" />
        </>
      )}
      {isCreating && <ListForm topics={[]} onClose={() => setCreating(false)} />}
    </div>
  )
}

/** Maximum number of topics to compare. */
const comparedMax = 10

const ListCard = ({ list }: { readonly list: TopicList }) => {
  const { canWrite } = useMe()
  const [opened, setOpened] = useState<"edit" | "delete" | null>(null)
  const close = () => setOpened(null)
  const nameOf = useTopicNames()
  const { id, name, topicIds, updatedAt } = list
  const remove = useWrite({
    write: () => footfall.topicLists.delete(id),
    changes: [["topic-lists"]],
    notice: () => ({ text: isolated`Deleted topic list ${name}` }),
    onDone: close,
  })
  return (
    <li className="card stack">
      <h2 className="break">{name}</h2>
      <p className="break">{topicIds.map(nameOf).join(", ")}</p>
      <p className="soft small">
        {plural(topicIds.length, "topic")}, changed <Time at={updatedAt} />
      </p>
      <div className="row">
        <Link
          className="button normal"
          to="/topics"
          search={(old) => ({
            ...old,
            view: "compare" as const,
            topics: topicIds.slice(0, comparedMax).join(","),
          })}
        >
          Compare
        </Link>
        {canWrite && (
          <>
            <Button onClick={() => setOpened("edit")}>Edit</Button>
            <Button isDanger onClick={() => setOpened("delete")}>
              Delete…
            </Button>
          </>
        )}
      </div>
      {opened === "edit" && (
        <ListForm
          list={list}
          topics={topicIds.map((topicId) => ({ topicId, topicName: nameOf(topicId) }))}
          onClose={close}
        />
      )}
      {opened === "delete" && (
        <Confirm
          title={isolated`Delete topic list ${name}?`}
          verb="Delete"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>Its topics stay in the catalog, and audiences don't change.</p>
        </Confirm>
      )}
    </li>
  )
}

// Creates or edits a topic list.

/** Per list. spec 2.18 */
const topicsMax = 100

interface ListFormProps {
  /** The list to edit; undefined for a new one. */
  readonly list?: TopicList
  readonly topics: ReadonlyArray<ChosenTopic>
  readonly onClose: () => void
}

export const ListForm = ({ list, topics: topicsFirst, onClose }: ListFormProps) => {
  const [name, setName] = useState(list?.name ?? "")
  const [topics, setTopics] = useState(topicsFirst)
  const save = useWrite({
    write: () => {
      const params = { name: name.trim(), topicIds: topics.map(({ topicId }) => topicId) }
      return list === undefined
        ? footfall.topicLists.create(params)
        : footfall.topicLists.update(list.id, params)
    },
    changes: [["topic-lists"]],
    notice: (saved) => ({
      text: isolated`${list === undefined ? "Created" : "Saved"} topic list ${saved.name}`,
    }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={list === undefined ? "Create a topic list" : isolated`Edit ${list.name}`}
      onClose={onClose}
      verb={list === undefined ? "Create" : "Save"}
      write={save}
      failure="The list was not saved"
      isReady={topics.length > 0}
      onSubmit={() => save.mutate()}
    >
      <TextField label="Name" required maxLength={160} autoFocus value={name} onValue={setName} />
      <TopicChoice
        topics={topics}
        onTopics={setTopics}
        max={topicsMax}
        hint={`1 to ${topicsMax} topics.`}
      />
    </FormDialog>
  )
}
