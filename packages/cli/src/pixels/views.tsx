// One pixel on a terminal, with its tag.

import type { PixelWithCode } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { dateAndTime, timeAgo } from "../ui/text.ts"
import { pixelStatusText } from "./words.ts"

/** A pixel with its tag. */
interface PixelViewProps {
  readonly pixel: PixelWithCode
  readonly now: Date
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** Settings that use the default are left out. */
export const PixelView = ({ pixel, now, timeZone }: PixelViewProps): ReactNode => {
  const { scriptSrc, connectSrc } = pixel.embed.contentSecurityPolicy
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text bold>{plainText(pixel.domain)}</Text>
      <Facts
        facts={[
          ["Name", pixel.name === pixel.domain ? null : pixel.name],
          ["Status", pixelStatusText(pixel)],
          ["Last event", pixel.lastEventAt === null ? "never" : timeAgo(pixel.lastEventAt, now)],
          [
            "Verified",
            pixel.verifiedAt === null ? "not yet" : dateAndTime(pixel.verifiedAt, timeZone),
          ],
          ["Not recorded", pixel.excludedPaths?.join(", ") ?? null],
          ["Recorded", pixel.includedPaths?.join(", ") ?? null],
          ...settingFacts(pixel),
          ["Created", dateAndTime(pixel.createdAt, timeZone)],
          ["Id", pixel.id],
        ]}
      />
      <Copyable title="Paste this into the head of every page:" text={pixel.code} />
      <Copyable
        title="Or this, for pages that require a fixed version:"
        text={pixel.embed.immutable.code}
      />
      <Copyable
        title="If the site has a Content Security Policy, it must allow:"
        text={`script-src ${scriptSrc}; connect-src ${connectSrc}`}
      />
    </Box>
  )
}

const settingFacts = ({ settings }: PixelWithCode): ReadonlyArray<readonly [string, string]> =>
  Object.entries(settings).flatMap(([key, value]) => {
    const isUnset = value === null || (Array.isArray(value) && value.length === 0)
    return isUnset
      ? []
      : [[key, typeof value === "string" ? value : JSON.stringify(value)] as const]
  })

const Copyable = ({
  title,
  text,
}: {
  readonly title: string
  readonly text: string
}): ReactNode => (
  <Box flexDirection="column">
    <Text dimColor>{title}</Text>
    <Text color="cyan">{plainText(text)}</Text>
  </Box>
)
