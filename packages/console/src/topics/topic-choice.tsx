// Chooses topics by name.
import type { Topic } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useSettled } from "../ui/use-settled.ts"

export type ChosenTopic = Pick<Topic, "topicId" | "topicName">

interface TopicChoiceProps {
  readonly topics: ReadonlyArray<ChosenTopic>
  readonly onTopics: (topics: ReadonlyArray<ChosenTopic>) => void
  readonly max: number
  readonly hint: string
}

export const TopicChoice = ({ topics, onTopics, max, hint }: TopicChoiceProps) => {
  const [text, setText] = useState("")
  const q = useSettled(text.trim())
  const {
    data: found = [],
    error,
    isSuccess,
  } = useQuery({
    queryKey: ["topics", "search", q],
    queryFn: ({ signal }) => footfall.topics.search({ q, limit: 8 }, { signal }),
    enabled: q !== "",
  })
  const others = found.filter(({ topicId }) => !topics.some((topic) => topic.topicId === topicId))
  return (
    <div className="stack">
      <TextField
        label="Topics"
        hint={hint}
        placeholder="For example freight"
        value={text}
        onValue={setText}
      />
      <Problem error={error} />
      {topics.length > 0 && (
        <div className="row" role="group" aria-label="Chosen topics">
          {topics.map((topic) => (
            <Button
              key={topic.topicId}
              className="chosen"
              aria-label={`Remove ${topic.topicName}`}
              onClick={() => onTopics(topics.filter(({ topicId }) => topicId !== topic.topicId))}
            >
              {topic.topicName} ✕
            </Button>
          ))}
        </div>
      )}
      {text !== "" && topics.length < max && (
        <div className="row" role="group" aria-label="Topics that match">
          {others.map((topic) => (
            <Button
              key={topic.topicId}
              className="small"
              aria-label={`Add ${topic.topicName}`}
              onClick={() => {
                onTopics([...topics, topic])
                setText("")
              }}
            >
              + {topic.topicName}
            </Button>
          ))}
        </div>
      )}
      {isSuccess && q !== "" && q === text.trim() && found.length === 0 && <NoTopics q={q} />}
    </div>
  )
}

const NoTopics = ({ q }: { readonly q: string }) => {
  const { data: total } = useQuery({
    queryKey: ["topics", "total"],
    queryFn: async ({ signal }) =>
      (await footfall.topics.list({ pageSize: 1 }, { signal })).meta.total,
  })
  return (
    <p className="soft" role="status">
      {total === 0 ? (
        <>
          There are no topics yet. An owner can import them under Settings, Imports. For a starter
          catalog, the operator of the server runs <code>npx @footfall/server starter-topics</code>.
        </>
      ) : (
        `No topic matches “${q}”.`
      )}
    </p>
  )
}

// Topic names by id.

/** The server's maximum. spec 5.7.1 */
const pageSize = 500

/** Names by id, of the first 500 topics of the catalog. */
export const useTopics = (): ReadonlyMap<number, string> => {
  const { data } = useQuery({
    queryKey: ["topics", "names"],
    queryFn: async ({ signal }) => {
      const topics = await footfall.topics.list({ pageSize }, { signal })
      return new Map(topics.data.map(({ topicId, topicName }) => [topicId, topicName]))
    },
    staleTime: 300_000,
  })
  return data ?? noTopics
}

const noTopics: ReadonlyMap<number, string> = new Map()

/** Topics beyond the first 500 of the catalog, and deleted ones, show their id. */
export const useTopicNames = (): ((topicId: number) => string) => {
  const topics = useTopics()
  return (topicId) => topics.get(topicId) ?? `Topic ${topicId}`
}
