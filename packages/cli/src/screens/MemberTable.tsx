// The members of an organization on a terminal.

import type { ListMeta, Member } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"
import { timeAgo } from "./time.ts"

/** One page of members. */
export interface MemberTableProps {
  readonly members: ReadonlyArray<Member>
  readonly meta: ListMeta
  readonly now: Date
  readonly screenColumns: number
}

/** A member is named by the address, so it is cut last. */
export const MemberTable = ({ members, meta, now, screenColumns }: MemberTableProps): ReactNode => (
  <ListScreen
    columns={memberColumns(now, screenColumns)}
    rows={members}
    meta={meta}
    nouns={["member", "members"]}
    empty={{ says: "There are no members yet.", next: "Run: footfall members create <email>" }}
    screenColumns={screenColumns}
  />
)

const memberColumns = (now: Date, screenColumns: number): ReadonlyArray<Column<Member>> => [
  {
    title: "Email",
    cell: ({ email }) => email,
    widthMin: 16,
    widthKept: Math.max(20, Math.floor(screenColumns * 0.5)),
  },
  { title: "Name", cell: ({ name }) => name ?? "", widthMin: 8, widthKept: 14, dropRank: 2 },
  { title: "Role", cell: ({ role }) => role },
  {
    title: "Member since",
    cell: ({ createdAt }) => timeAgo(createdAt, now),
    align: "right",
    dropRank: 1,
  },
]
