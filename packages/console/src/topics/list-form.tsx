// Creates or edits a topic list.
import type { TopicList } from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { TextField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { TopicChoice, type ChosenTopic } from "./topic-choice.tsx"

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
      text: `${list === undefined ? "Created" : "Saved"} topic list ${saved.name}`,
    }),
    onDone: onClose,
  })
  return (
    <FormDialog
      title={list === undefined ? "Create a topic list" : `Edit ${list.name}`}
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
