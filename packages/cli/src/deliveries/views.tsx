// One delivery on a terminal.

import type { Delivery, DeliveryTry, FailedContact } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { Prose } from "../ui/prose.tsx"
import { dateAndTime, timeAgo } from "../ui/text.ts"
import { contactsText, deliveryStatusColor, deliveryStatusText } from "./words.ts"
import { Json } from "../ui/json.tsx"

/** A delivery and the available width. */
interface DeliveryViewProps {
  readonly delivery: Delivery
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Its state first, then its result. */
export const DeliveryView = (props: DeliveryViewProps): ReactNode => {
  const { delivery, now, screenColumns, timeZone } = props
  const { audienceId, errorCode, errorMessage, id, nextAttemptAt } = delivery
  const moment = (at: string | null) =>
    at === null ? null : `${dateAndTime(at, timeZone)}, ${timeAgo(at, now)}`
  const color = deliveryStatusColor(delivery.status)
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold {...(color === undefined ? {} : { color })}>
          {deliveryStatusText(delivery)}
        </Text>
        <Text dimColor>{` · ${delivery.mode} delivery`}</Text>
      </Text>
      {errorCode === null ? null : (
        <Prose color="red">{plainText(`${errorCode}: ${errorMessage ?? ""}`)}</Prose>
      )}
      <Facts
        facts={[
          ["Contacts", contactsText(delivery)],
          ["Attempts", delivery.attempts > 1 ? `${delivery.attempts} of 6` : null],
          ["Next attempt", nextAttemptAt === null ? null : dateAndTime(nextAttemptAt, timeZone)],
          ["Queued", moment(delivery.createdAt)],
          ["Started", moment(delivery.startedAt)],
          ["Ended", moment(delivery.completedAt)],
          ["Retry of", delivery.retryOfDeliveryId],
          ["Run", delivery.sourceRunId],
          ["Compared with", delivery.baselineRunId],
          ["Destination", delivery.destinationId],
          ["Audience", audienceId],
          ["Id", id],
        ]}
      />
    </Box>
  )
}

// A failed contact on a terminal: each attempt, and what it is sent.
interface FailedContactViewProps {
  readonly failure: FailedContact
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** First the reason, then the attempts, then the payload. */
export const FailedContactView = (props: FailedContactViewProps): ReactNode => {
  const { failure, screenColumns, timeZone } = props
  const { attempts, errorCode, errorMessage, hashedEmail, messageId, payload, tries } = failure
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Prose color="red">
        {plainText(errorMessage === null ? errorCode : `${errorCode}: ${errorMessage}`)}
      </Prose>
      <Facts
        facts={[
          ["Contact", hashedEmail],
          ["Attempts", String(attempts)],
          ["Message id", messageId],
        ]}
      />
      {tries.map((one) => (
        <Attempt key={one.at} attempt={one} timeZone={timeZone} />
      ))}
      {payload === null ? (
        <Prose>
          This contact would not be sent now: the person is suppressed, or the result is no longer
          stored.
        </Prose>
      ) : (
        <Json value={payload} />
      )}
    </Box>
  )
}

interface AttemptProps {
  readonly attempt: DeliveryTry
  readonly timeZone: string | undefined
}

const Attempt = ({ attempt, timeZone }: AttemptProps): ReactNode => {
  const { at, errorCode, responseSnippet, statusCode } = attempt
  const status = statusCode === null ? "no response" : String(statusCode)
  return (
    <Box flexDirection="column">
      <Prose>{plainText(`${dateAndTime(at, timeZone)} · ${status} · ${errorCode}`)}</Prose>
      {responseSnippet === null ? null : <Text dimColor>{plainText(responseSnippet)}</Text>}
    </Box>
  )
}
