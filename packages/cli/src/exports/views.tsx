// One export on a terminal.

import type { ExportStatus, ExportWithLink } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { Prose } from "../ui/prose.tsx"
import { counted, dateAndTime, sizeText, timeAgo } from "../ui/text.ts"

/** An export and the available width. */
interface ExportViewProps {
  readonly result: ExportWithLink
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Its state first, then its contents. */
export const ExportView = (props: ExportViewProps): ReactNode => {
  const { result, now, screenColumns, timeZone } = props
  const { byteSize, errorCode, errorMessage, expiresAt, rowCount, status, ...file } = result.export
  const moment = (at: string | null) => (at === null ? null : dateAndTime(at, timeZone))
  const created = `${dateAndTime(file.createdAt, timeZone)}, ${timeAgo(file.createdAt, now)}`
  const color = colors[status]
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold {...(color === undefined ? {} : { color })}>
          {status}
        </Text>
        <Text dimColor>{` · ${plainText(file.fileName)}`}</Text>
      </Text>
      {errorCode === null ? null : (
        <Prose color="red">{plainText(`${errorCode}: ${errorMessage ?? ""}`)}</Prose>
      )}
      <Facts
        facts={[
          ["People", rowCount === null ? null : counted(rowCount, "person", "people")],
          ["Size", byteSize === null ? null : sizeText(byteSize)],
          ["SHA-256", file.contentSha256],
          ["Created", created],
          [status === "expired" ? "Removed" : "Kept until", moment(expiresAt)],
          ["Link expires", moment(result.downloadUrlExpiresAt)],
          ["Audience", file.audienceId],
          ["Run", file.runId],
          ["Id", file.id],
        ]}
      />
    </Box>
  )
}

/** The color of a status. The status is also in words. */
const colors: Readonly<Record<ExportStatus, string | undefined>> = {
  processing: "cyan",
  completed: "green",
  failed: "red",
  expired: undefined,
}
