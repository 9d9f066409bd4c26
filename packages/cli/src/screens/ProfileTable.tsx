// The profiles on this computer on a terminal; of a key only its public form is shown.

import type { ReactNode } from "react"
import type { ProfileRow } from "../profiles/profile-row.ts"
import { ListScreen, type ListScreenMeta } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"

/** The profiles in the order of the file. */
export interface ProfileTableProps {
  readonly profiles: ReadonlyArray<ProfileRow>
  readonly meta: ListScreenMeta
  readonly screenColumns: number
}

/** The current profile has a star. */
export const ProfileTable = (props: ProfileTableProps): ReactNode => {
  const { profiles, meta, screenColumns } = props
  return (
    <ListScreen
      columns={profileColumns}
      rows={profiles}
      meta={meta}
      nouns={["profile", "profiles"]}
      empty={{ says: "There are no profiles yet.", next: "Run: footfall profiles create <name>" }}
      screenColumns={screenColumns}
    />
  )
}

const profileColumns: ReadonlyArray<Column<ProfileRow>> = [
  { title: " ", cell: ({ isCurrent }) => (isCurrent ? "*" : "") },
  { title: "Profile", cell: ({ name }) => name, widthMin: 8 },
  { title: "Server", cell: ({ baseUrl }) => baseUrl, widthMin: 12 },
  { title: "API key", cell: ({ apiKey }) => apiKey ?? "" },
  { title: "Logged in", cell: ({ email }) => email ?? "", widthMin: 9, dropRank: 1 },
]
