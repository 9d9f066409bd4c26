// A failed contact on a terminal: each attempt, and what it is sent.

import type { DeliveryTry, FailedContact } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { Json } from "../ui/json.tsx"
import { Prose } from "../ui/prose.tsx"
import { dateAndTime } from "../ui/text.ts"

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
          This contact would not be sent now: it is suppressed, or its result is no longer kept.
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
