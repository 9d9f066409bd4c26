// The saved audiences on a terminal.

import type { Audience, ListMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { audienceStatusText } from "./audience-words.ts"
import { countText } from "./figures.ts"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of audiences. */
export interface AudienceTableProps {
  readonly audiences: ReadonlyArray<Audience>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** The id is never cut, so that it can be copied. */
export const AudienceTable = (props: AudienceTableProps): ReactNode => {
  const { audiences, meta, now, screenColumns } = props
  return (
    <ListScreen
      columns={audienceColumns(now)}
      rows={audiences}
      meta={meta}
      nouns={["audience", "audiences"]}
      empty={{
        says: "There are no audiences yet.",
        next: "Run: footfall audiences create <name> --topic <id>",
      }}
      screenColumns={screenColumns}
    />
  )
}

const audienceColumns = (now: Date): ReadonlyArray<Column<Audience>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 20 },
  { title: "Status", cell: audienceStatusText },
  { title: "People", cell: peopleCell, align: "right", dropRank: 1 },
  {
    title: "Topics",
    cell: ({ config }) => `${config.topicIds.length}`,
    align: "right",
    dropRank: 3,
  },
  { title: "Refreshed", cell: refreshedCell(now), align: "right", dropRank: 2 },
]

/** Before the first run nobody was counted, which is not the same as nobody. */
const peopleCell = ({ audienceSize, lastRefreshedAt }: Audience): string =>
  lastRefreshedAt === null ? "" : countText(audienceSize)

const refreshedCell =
  (now: Date) =>
  ({ lastRefreshedAt }: Audience): string =>
    lastRefreshedAt === null ? "never" : timeAgo(lastRefreshedAt, now)
