// The people a run found on a terminal.

import type { RunResult, RunResultsMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"

/** One page of people. */
export interface RunResultTableProps {
  readonly people: ReadonlyArray<RunResult>
  readonly meta: RunResultsMeta
  readonly screenColumns: number
}

export const RunResultTable = (props: RunResultTableProps): ReactNode => {
  const { people, meta, screenColumns } = props
  return (
    <ListScreen
      columns={personColumns}
      rows={people}
      meta={meta}
      nouns={["person", "people"]}
      empty={{
        says: "The run found nobody.",
        next: "Try: footfall audiences preview, with other options",
      }}
      screenColumns={screenColumns}
    />
  )
}

const personColumns: ReadonlyArray<Column<RunResult>> = [
  { title: "Score", cell: ({ intent }) => `${intent.score}`, align: "right", color: "cyan" },
  {
    title: "Name",
    cell: ({ fullName }) => fullName ?? "",
    widthMin: 8,
    widthKept: 14,
    dropRank: 4,
  },
  // People known by hash alone have no address; the start of the hash tells them apart.
  {
    title: "Email",
    cell: ({ email, hashedEmail }) => email ?? `#${hashedEmail.slice(0, 12)}`,
    widthMin: 14,
    widthKept: 24,
  },
  {
    title: "Company",
    cell: ({ company }) => company.name ?? "",
    widthMin: 8,
    widthKept: 14,
    dropRank: 3,
  },
  { title: "Job", cell: ({ jobTitle }) => jobTitle ?? "", widthMin: 8, widthKept: 14, dropRank: 2 },
  {
    title: "Topics",
    cell: ({ intent }) => intent.matchedTopics.map(({ topicName }) => topicName).join(", "),
    widthMin: 8,
    widthKept: 14,
    dropRank: 1,
  },
]
