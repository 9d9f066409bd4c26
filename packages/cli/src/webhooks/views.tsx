// Visitor webhooks and received events on a terminal.

import type { VisitorWebhook, WebhookDeliveryWithPayload } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { Received } from "../listen/receiver.ts"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { Json } from "../ui/json.tsx"
import { counted, countText, timeAgo } from "../ui/text.ts"
import type { EventFacts, Verdict } from "./verdict.ts"
import { webhookStatusText } from "./words.ts"

/** The webhook and the current time. */
interface VisitorWebhookViewProps {
  readonly webhook: VisitorWebhook
  readonly now: Date
  readonly screenColumns: number
}

/** The last error is at the bottom, where the reader looks. */
export const VisitorWebhookView = (props: VisitorWebhookViewProps): ReactNode => {
  const { now, screenColumns, webhook } = props
  const { stats } = webhook
  const ago = (time: string | null) => (time === null ? null : timeAgo(time, now))
  const error =
    stats.lastErrorMessage === null ? null : `${stats.lastErrorMessage} ${ago(stats.lastErrorAt)}`
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{plainText(webhook.name)}</Text>
        <Text dimColor>{` · ${webhookStatusText(webhook)}`}</Text>
      </Text>
      <Facts
        facts={[
          ["Sends to", webhook.url ?? `${webhook.recipients?.join(", ") || "no one"} (members)`],
          ["Trigger", webhook.trigger],
          ["Page", pageText(webhook)],
          ["Who", webhook.identified === "any" ? null : webhook.identified],
          ["Segment", webhook.segmentId ?? "everyone"],
          ["List", webhook.listId],
          ["Again", webhook.again],
          ["Pixel", `${webhook.pixelId ?? "all"}${webhook.pixelDeleted ? " (deleted)" : ""}`],
          ["Format", formatText(webhook)],
          ["Timeout", `${countText(webhook.timeoutMs)} ms`],
          ["Sent", counted(stats.deliveries, "event")],
          ["Accepted", stats.successRate === null ? null : `${stats.successRate} %`],
          ["Last sent", ago(stats.lastDeliveredAt)],
          ["Failed in a row", `${stats.consecutiveFailures}`],
          ["Last error", error],
          ["Id", webhook.id],
        ]}
      />
      {webhook.pixelDeleted ? (
        <Text>
          {"Its pixel was deleted, so this webhook never fires. Set another pixel or delete it:\n" +
            `  footfall webhooks update ${webhook.id} --pixel <pixel>\n` +
            `  footfall webhooks delete ${webhook.id}`}
        </Text>
      ) : null}
    </Box>
  )
}

interface WebhookDeliveryViewProps {
  readonly delivery: WebhookDeliveryWithPayload
  readonly now: Date
  readonly screenColumns: number
}

/** The body is last, because it is the longest part. */
export const WebhookDeliveryView = (props: WebhookDeliveryViewProps): ReactNode => {
  const { delivery, now, screenColumns } = props
  const { payload } = delivery
  const ago = (time: string | null) => (time === null ? null : timeAgo(time, now))
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{delivery.event}</Text>
        <Text dimColor>{` · ${delivery.status}`}</Text>
      </Text>
      <Facts
        facts={[
          ["Attempts", `${delivery.attempts}`],
          ["Response", delivery.statusCode === null ? null : `${delivery.statusCode}`],
          ["Error", delivery.errorMessage],
          ["Person", delivery.visitorHash],
          ["Company", delivery.companyDomain],
          ["Queued", ago(delivery.createdAt)],
          ["Next attempt", delivery.nextAttemptAt],
          ["Completed", ago(delivery.completedAt)],
          ["Id", delivery.id],
        ]}
      />
      {payload === null ? (
        <Text>
          No body is stored: it is not created yet, too old, or about a person who was erased.
        </Text>
      ) : (
        // The server writes each body as JSON.
        <Json value={JSON.parse(payload)} />
      )}
    </Box>
  )
}

/** Null for a trigger that is not about pages. */
const pageText = ({ minSeconds, path }: VisitorWebhook): string | null => {
  if (minSeconds === null) return null
  const page = path ?? "every page"
  return minSeconds === 0 ? page : `${page}, visible for ${counted(minSeconds, "second")}`
}

const formatText = ({ digest, digestDay, digestHour, format }: VisitorWebhook): string => {
  switch (digest) {
    case "immediate":
      return format
    case "hourly":
      return `${format}, hourly`
    case "daily":
      return `${format}, daily at ${digestHour}:00`
    case "weekly":
      return `${format}, on ${weekdays[(digestDay ?? 1) - 1]} at ${digestHour}:00`
  }
}

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

/** The claims of a request and the available width. */
interface WebhookFactsViewProps {
  readonly facts: Omit<EventFacts, "payload">
  readonly now: Date
  readonly screenColumns: number
}

/** The verdict, and below it the signed content. */
export const WebhookFactsView = ({
  facts,
  now,
  screenColumns,
}: WebhookFactsViewProps): ReactNode => {
  const { attempt, event, id, isTest, sentAt } = facts
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text color="green">✓ signed with this secret</Text>
      <Facts
        facts={[
          ["Event", isTest ? `${event} (a test)` : event],
          ["Id", id],
          ["Attempt", attempt === null ? null : String(attempt)],
          ["Sent", sentAt === null ? null : `${sentAt} (${timeAgo(sentAt, now)})`],
        ]}
      />
    </Box>
  )
}

/** A received webhook and the available width. */
interface ReceivedViewProps {
  readonly received: Received
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Maximum lines shown of a body; Footfall's bodies have fewer. */
const BODY_LINES_MAX = 400

/** One line. The important parts come first, because the end is cut if it does not fit. */
export const ReceivedLine = ({
  received,
  screenColumns,
  timeZone,
}: ReceivedViewProps): ReactNode => {
  const { facts, method, path, receivedAt, verdict } = received
  return (
    <Box width={screenColumns}>
      <Text wrap="truncate">
        <Text dimColor>{clock(receivedAt, timeZone)}</Text>{" "}
        {verdict.verdict === "refused" ? (
          <Text color="red">✗ {verdict.reason}</Text>
        ) : (
          <VerdictText verdict={verdict} />
        )}{" "}
        <AnswerText received={received} />{" "}
        <Text bold>{plainText(facts.event ?? `${method} ${path}`)}</Text>
        <Occasion facts={facts} />
      </Text>
    </Box>
  )
}

/** Marks a test, or a repeated attempt. */
const Occasion = ({ facts }: Pick<Received, "facts">): ReactNode => (
  <>
    {facts.isTest ? " test" : ""}
    {facts.attempt !== null && facts.attempt > 1 ? ` attempt ${facts.attempt}` : ""}
  </>
)

/** Shows every header, because people look for the missing one. */
export const ReceivedView = ({
  received,
  screenColumns,
  timeZone,
}: ReceivedViewProps): ReactNode => {
  const { facts, headers, method, path, receivedAt } = received
  return (
    <Box flexDirection="column" width={screenColumns}>
      <Text>
        <Text dimColor>{clock(receivedAt, timeZone)}</Text>{" "}
        <Text bold>{plainText(facts.event ?? `${method} ${path}`)}</Text>
        <Occasion facts={facts} /> <VerdictText verdict={received.verdict} />{" "}
        <AnswerText received={received} />
      </Text>
      <Box paddingLeft={2} paddingTop={1} flexDirection="column">
        <Facts facts={Object.entries(headers)} />
      </Box>
      <Box paddingLeft={2} paddingY={1} flexDirection="column">
        {bodyLines(received).map(({ indentation, place, text }) => (
          <Box key={place} paddingLeft={indentation}>
            <Text>{text}</Text>
          </Box>
        ))}
      </Box>
    </Box>
  )
}

const VerdictText = ({ verdict }: { readonly verdict: Verdict }): ReactNode => {
  switch (verdict.verdict) {
    case "verified":
      return <Text color="green">✓ verified</Text>
    case "unchecked":
      return <Text color="yellow">? not checked: no secret</Text>
    case "refused":
      return (
        <Text color="red">
          ✗ invalid ({verdict.reason}): {verdict.message}
        </Text>
      )
  }
}

const AnswerText = ({ received }: { readonly received: Received }): ReactNode => {
  const { forwarded, status } = received
  const handed =
    forwarded === null
      ? ""
      : "error" in forwarded
        ? ` (not forwarded: ${plainText(forwarded.error)})`
        : ` (forwarded in ${forwarded.durationMs} ms)`
  return (
    <Text color={status >= 400 ? "red" : "green"}>
      → {status}
      {handed}
    </Text>
  )
}

const clock = (at: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat("sv-SE", {
    timeStyle: "medium",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at)

/** A long line continues on the next one with the same indentation. */
interface BodyLine {
  readonly place: number
  readonly indentation: number
  readonly text: string
}

const bodyLines = ({ body, facts }: Received): ReadonlyArray<BodyLine> => {
  const bodyText =
    facts.payload === undefined
      ? Buffer.from(body).toString("utf8")
      : JSON.stringify(facts.payload, null, 2)
  const lines = bodyText.split("\n")
  const rest = Math.max(0, lines.length - BODY_LINES_MAX)
  const shown = [...lines.slice(0, BODY_LINES_MAX), ...(rest > 0 ? [`… ${rest} more lines`] : [])]
  return shown.map((line, place) => {
    // We indent JSON ourselves. For other text, the sender's indentation is dropped.
    const indentation = facts.payload === undefined ? 0 : line.search(/\S|$/)
    return { place, indentation, text: plainText(line.trimStart()) }
  })
}
