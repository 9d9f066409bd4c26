// The API keys of the organization on a terminal, by the public form of each.

import type { ApiKey, ListMeta } from "@footfall/sdk"
import type { ReactNode } from "react"
import { keyState } from "./key-words.ts"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of keys. */
export interface KeyTableProps {
  readonly keys: ReadonlyArray<ApiKey>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** Keys that are good for nothing any more are dim. */
export const KeyTable = ({ keys, meta, now, screenColumns }: KeyTableProps): ReactNode => (
  <ListScreen
    columns={keyColumns(now)}
    rows={keys}
    meta={meta}
    nouns={["key", "keys"]}
    empty={{ says: "There are no API keys yet.", next: "Run: footfall keys create <name>" }}
    screenColumns={screenColumns}
    isDim={(key) => ["revoked", "expired"].includes(keyState(key, now))}
  />
)

const keyColumns = (now: Date): ReadonlyArray<Column<ApiKey>> => [
  { title: "Id", cell: ({ id }) => id },
  { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 14 },
  { title: "Key", cell: ({ prefix, last4 }) => `${prefix}…${last4}`, dropRank: 1 },
  { title: "State", cell: (key) => keyState(key, now), widthMin: 7 },
  {
    title: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : timeAgo(lastUsedAt, now)),
    align: "right",
    dropRank: 2,
  },
  {
    title: "Created",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 3,
  },
]
