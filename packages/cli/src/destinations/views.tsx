// One destination on a terminal.

import type { Destination, OnLeave } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { type Fact, Facts } from "../ui/facts.tsx"
import { countText, dateAndTime, timeAgo } from "../ui/text.ts"
import { destinationStatusText } from "./words.ts"

/** A destination. */
interface DestinationViewProps {
  readonly destination: Destination
  readonly now: Date
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Unknown values are left out. */
export const DestinationView = (props: DestinationViewProps): ReactNode => {
  const { destination, now, timeZone } = props
  const { stats } = destination
  const ago = (at: string | null) => (at === null ? null : timeAgo(at, now))
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{plainText(destination.name)}</Text>
        <Text dimColor>{` · ${destinationStatusText(destination)}`}</Text>
      </Text>
      <Facts
        facts={[
          ...kindFacts(destination),
          ["Validation", destination.validationPolicy.replaceAll("_", " ")],
          ["Revision", `${destination.configRevision}`],
          ["Approved", destination.approvedConfigHash],
        ]}
      />
      <Facts
        facts={[
          ["Contacts", contactCountsText(stats)],
          ["Last sent", ago(stats.lastDeliveredAt) ?? "never"],
          ["Retrying", destination.retrying?.errorMessage ?? null],
          ["Last error", stats.lastErrorCode],
          ["Reason", stats.lastErrorMessage],
          ["At", ago(stats.lastErrorAt)],
        ]}
      />
      <Facts
        facts={[
          ["Created", dateAndTime(destination.createdAt, timeZone)],
          ["Audience", destination.audienceId],
          ["Id", destination.id],
        ]}
      />
    </Box>
  )
}

/** Totals of all deliveries. */
const contactCountsText = (stats: Destination["stats"]): string =>
  [
    `${countText(stats.totalSynced)} sent`,
    `${countText(stats.totalSkipped)} skipped`,
    `${countText(stats.totalFailed)} failed`,
    `${countText(stats.totalRemoved)} removed`,
  ].join(", ")

const leavingWords: Readonly<Record<OnLeave, string>> = {
  keep: "stays on the list",
  remove_tag: "loses the audience's tag",
  remove_from_list: "leaves the list",
}

const kindFacts = (destination: Destination): ReadonlyArray<Fact> => {
  if (destination.destinationType === "webhook") {
    const { body, eventTypes, headers, timeoutMs, url } = destination.webhook
    return [
      ["Address", url],
      ["Events", eventTypes.join(", ")],
      ["Timeout", `${countText(timeoutMs)} ms`],
      ["Headers", headers.join(", ")],
      ["Body", body],
    ]
  }
  const { config, connectedAccount } = destination.automation
  const fields = Object.entries(config.fieldMapping).map(([field, name]) => `${field}=${name}`)
  return [
    [
      "List",
      config.listName === undefined ? config.listId : `${config.listName} (${config.listId})`,
    ],
    [
      "Account",
      `${connectedAccount.accountName ?? connectedAccount.appName}, ${connectedAccount.status}`,
    ],
    ["Fields", fields.join(", ")],
    ["Tags", config.tags.join(", ")],
    ["New contacts", config.newContactStatus ?? "the list's own opt-in"],
    ["Who leaves", leavingWords[config.onLeave]],
    ["Who is erased", config.eraseAtProvider ? "deleted at the service too" : "kept there"],
  ]
}
