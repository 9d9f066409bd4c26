// What a person or the people of a company read about, with the change since the data date before. Nothing without data.
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { CSSProperties } from "react"

interface Topic {
  readonly topicId: number
  readonly topicName: string
  readonly score: number | null
  readonly previousScore: number | null
}

interface ReadsAboutProps {
  readonly queryKey: ReadonlyArray<string>
  readonly ask: (signal: AbortSignal) => PromiseLike<{ readonly topics: ReadonlyArray<Topic> }>
}

const shownMax = 6

export const ReadsAbout = ({ ask, queryKey }: ReadsAboutProps) => {
  const { data } = useQuery({
    queryKey: [...queryKey, "topics"],
    queryFn: async ({ signal }): Promise<ReadonlyArray<Topic>> => {
      try {
        return (await ask(signal)).topics
      } catch (error) {
        if (error instanceof NotFoundError) return []
        throw error
      }
    },
  })
  const topics = data?.filter(({ score }) => score !== null).slice(0, shownMax) ?? []
  if (topics.length === 0) return null
  return (
    <section className="record-part" aria-label="Reads about">
      <h2>Reads about</h2>
      <ul className="topic-bars">
        {topics.map(({ previousScore, score, topicId, topicName }) => (
          <li key={topicId}>
            <Link
              className="cut"
              to="/topics/$topicId"
              params={{ topicId: String(topicId) }}
              search={true}
            >
              {topicName}
            </Link>
            <i style={{ "--w": (score ?? 0) / 100 } as CSSProperties} />
            <b>{score}</b>
            <span className="faint">{changeOf(score ?? 0, previousScore)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const changeOf = (now: number, before: number | null): string => {
  if (before === null) return "new"
  if (before === now) return ""
  return `${now > before ? "+" : "−"}${Math.abs(now - before)}`
}
