// The organizations of a user on a terminal.

import type { ListMeta, Organization } from "@footfall/sdk"
import type { ReactNode } from "react"
import { ListScreen } from "./ListScreen.tsx"
import type { Column } from "./Table.tsx"

/** One page of organizations. */
export interface OrganizationTableProps {
  readonly organizations: ReadonlyArray<Organization>
  readonly meta: ListMeta
  readonly screenColumns: number
}

/** The slug is what `organizations use` is asked with, so it is never cut. */
export const OrganizationTable = (props: OrganizationTableProps): ReactNode => {
  const { organizations, meta, screenColumns } = props
  return (
    <ListScreen
      columns={organizationColumns}
      rows={organizations}
      meta={meta}
      nouns={["organization", "organizations"]}
      empty={{
        says: "There are no organizations yet.",
        next: "Run: footfall organizations create <name> --slug <slug>",
      }}
      screenColumns={screenColumns}
      isDim={({ status }) => status === "suspended" || status === "expired"}
    />
  )
}

const organizationColumns: ReadonlyArray<Column<Organization>> = [
  { title: "Slug", cell: ({ slug }) => slug },
  { title: "Name", cell: ({ name }) => name, widthMin: 10, widthKept: 20 },
  { title: "Status", cell: ({ status }) => status },
  { title: "Id", cell: ({ id }) => id, dropRank: 1 },
]
