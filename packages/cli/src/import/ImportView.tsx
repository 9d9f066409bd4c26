// The result of an import: the counts, and the rejected rows with reasons.

import type { ImportRejection, ImportRejectionReason, ImportResult } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { Facts } from "../ui/facts.tsx"
import { type Column, Table } from "../ui/table.tsx"
import { counted, countText } from "../ui/text.ts"

/** The server's response. */
interface ImportViewProps {
  readonly result: ImportResult
  readonly screenColumns: number
}

/** The table shows the first 100 rejected rows; the count includes all of them. */
export const ImportView = ({ result, screenColumns }: ImportViewProps): ReactNode => {
  const { kind, received, inserted, updated, unchanged, rejectedCount, rejected } = result
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{`${counted(received, "row")} of ${kind}`}</Text>
        <Text color={rejectedCount === 0 ? "green" : "yellow"}>
          {rejectedCount === 0 ? ": all imported" : `: ${countText(rejectedCount)} rejected`}
        </Text>
      </Text>
      <Facts
        facts={[
          ["New", countText(inserted)],
          ["Changed", countText(updated)],
          ["Unchanged", countText(unchanged)],
          ["Rejected", rejectedCount === 0 ? null : countText(rejectedCount)],
        ]}
      />
      {rejected.length === 0 ? null : (
        <Table columns={rejectionColumns} rows={rejected} screenColumns={screenColumns} />
      )}
      {rejectedCount > rejected.length ? (
        <Text
          dimColor
        >{`The first ${rejected.length} of ${countText(rejectedCount)} rejected rows.`}</Text>
      ) : null}
    </Box>
  )
}

const rejectionColumns: ReadonlyArray<Column<ImportRejection>> = [
  { title: "Row", cell: ({ row }) => `${row}`, align: "right" },
  { title: "Field", cell: ({ field }) => field ?? "", widthMin: 8 },
  {
    title: "Why",
    cell: ({ message, reason }) => message ?? reasons[reason] ?? reason,
    widthMin: 12,
  },
]

/** Source: spec 5.14. Unknown reasons from a newer server are shown as is. */
const reasons: Readonly<Partial<Record<string, string>>> = {
  not_an_object: "the line is not a JSON object",
  unreadable_row: "the row cannot be read",
  row_too_long: "the row is longer than 64 KiB",
  missing_field: "the field is missing",
  unknown_field: "unknown field",
  invalid_type: "the value has the wrong type",
  invalid_value: "the value is invalid",
  value_too_long: "the value is too long",
  out_of_range: "the value is out of range",
  unknown_topic: "topic not found",
  hash_mismatch: "the hash does not match the address",
  erased: "the person was erased",
} satisfies Record<ImportRejectionReason, string>
