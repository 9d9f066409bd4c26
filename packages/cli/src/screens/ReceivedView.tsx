// One webhook that came in, on a terminal: what became of it in one line, then its headers and its body.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import type { Received } from "../webhook/received.ts"
import type { Verdict } from "../webhook/verdict.ts"
import { Facts } from "./Facts.tsx"

/** A webhook and the width there is. */
export interface ReceivedViewProps {
  readonly received: Received
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Lines of a body that are shown; one of Footfall has fewer. */
const BODY_LINES_MAX = 400

/** Every header, because what is missing is what one looks for. */
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
        {facts.isTest ? " test" : ""}
        {facts.attempt !== null && facts.attempt > 1 ? ` attempt ${facts.attempt}` : ""}{" "}
        <VerdictText verdict={received.verdict} /> <AnswerText received={received} />
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
          ✗ refused ({verdict.reason}): {verdict.message}
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

/** A line goes on below itself, as far in as it began. */
interface BodyLine {
  readonly place: number
  readonly indentation: number
  readonly text: string
}

const bodyLines = ({ body, facts }: Received): ReadonlyArray<BodyLine> => {
  const whole =
    facts.payload === undefined
      ? Buffer.from(body).toString("utf8")
      : JSON.stringify(facts.payload, null, 2)
  const lines = whole.split("\n")
  const rest = Math.max(0, lines.length - BODY_LINES_MAX)
  const shown = [...lines.slice(0, BODY_LINES_MAX), ...(rest > 0 ? [`… ${rest} more lines`] : [])]
  return shown.map((line, place) => {
    // The indentation of JSON is ours; of anything else it is theirs, and dropped.
    const indentation = facts.payload === undefined ? 0 : line.search(/\S|$/)
    return { place, indentation, text: plainText(line.trimStart()) }
  })
}
