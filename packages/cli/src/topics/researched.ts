// The topics that a person or a company researches, for people to read.

import type { CompanyTopics, VisitorTopics } from "@footfall/sdk"
import { lines } from "../terminal/terminal.ts"
import { counted } from "../ui/text.ts"

type Topics = CompanyTopics | VisitorTopics

/** For example `91  Warehouse Management Systems  (7 more than on 2026-03-09)`. */
export const researchedText = (found: Topics) => () => {
  if (found.dataDate === null) return lines("There is no intent data yet.")
  if (found.topics.length === 0) return lines(`No topics on ${found.dataDate}.`)
  return lines(
    `Topics on ${found.dataDate}:`,
    ...found.topics.map((topic) => {
      const notes = [
        "people" in topic && topic.people > 1 ? counted(topic.people, "person", "people") : null,
        changeOf(topic, found),
      ].filter((note) => note !== null)
      const score = topic.score === null ? "–" : String(topic.score)
      return `${score.padStart(4)}  ${topic.topicName}${notes.length === 0 ? "" : `  (${notes.join(", ")})`}`
    }),
  )
}

const changeOf = (
  { previousScore, score }: Topics["topics"][number],
  { previousDate }: Topics,
): string | null => {
  if (previousDate === null || previousScore === score) return null
  if (previousScore === null) return "new"
  if (score === null) return `${previousScore} on ${previousDate}`
  const change = score - previousScore
  return `${Math.abs(change)} ${change > 0 ? "more" : "less"} than on ${previousDate}`
}
