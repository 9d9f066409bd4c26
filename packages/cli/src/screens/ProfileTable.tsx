// The profiles on this computer on a terminal; of a key only its public form is shown.

import { Text } from "ink"
import type { ReactNode } from "react"
import type { ProfileRow } from "../profiles/profile-row.ts"
import { Table, type Column } from "./Table.tsx"

/** The profiles in the order of the file. */
export interface ProfileTableProps {
  readonly profiles: ReadonlyArray<ProfileRow>
  readonly screenColumns: number
}

/** The current profile has a star. */
export const ProfileTable = ({ profiles, screenColumns }: ProfileTableProps): ReactNode =>
  profiles.length === 0 ? (
    <Text>There are no profiles yet. Run: footfall profile add {"<name>"}</Text>
  ) : (
    <Table columns={profileColumns} rows={profiles} screenColumns={screenColumns} />
  )

const profileColumns: ReadonlyArray<Column<ProfileRow>> = [
  { title: " ", cell: ({ isCurrent }) => (isCurrent ? "*" : "") },
  { title: "Profile", cell: ({ name }) => name, widthMin: 8 },
  { title: "Server", cell: ({ baseUrl }) => baseUrl, widthMin: 12 },
  { title: "API key", cell: ({ apiKey }) => apiKey ?? "" },
  { title: "Logged in", cell: ({ email }) => email ?? "", widthMin: 9, dropRank: 1 },
]
