// One saved audience on a terminal, with its configuration.

import type { Audience } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { audienceFacts, audienceStatusText } from "./audience-words.ts"
import { Facts } from "./Facts.tsx"
import { counted } from "./figures.ts"
import { dateAndTime, timeAgo } from "./time.ts"

/** An audience and the width there is. */
export interface AudienceViewProps {
  readonly audience: Audience
  readonly now: Date
  readonly screenColumns: number
  /** Default: the time zone of the computer. */
  readonly timeZone?: string
}

/** First what it holds, then what it is made of. */
export const AudienceView = (props: AudienceViewProps): ReactNode => {
  const { audience, now, screenColumns, timeZone } = props
  const { config, dailyRefreshEnabled, pausedAt } = audience
  const names = new Map(config.topics.map(({ topicId, topicName }) => [topicId, topicName]))
  const moment = (at: string | null) => (at === null ? null : dateAndTime(at, timeZone))
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text>
        <Text bold>{plainText(audience.name)}</Text>
        <Text dimColor>{` · ${audienceStatusText(audience)}`}</Text>
      </Text>
      <Facts
        facts={[
          ["People", peopleText(audience, now)],
          ["Daily refresh", dailyRefreshEnabled ? "for every new day of data" : "off"],
        ]}
      />
      <Facts facts={[...audienceFacts(config, names), ["Site", config.sourceUrl]]} />
      <Facts
        facts={[
          ["Created", moment(audience.createdAt)],
          ["Changed", moment(audience.updatedAt)],
          ["Paused", moment(pausedAt)],
          ["Id", audience.id],
        ]}
      />
    </Box>
  )
}

const peopleText = ({ audienceSize, lastRefreshedAt }: Audience, now: Date): string =>
  lastRefreshedAt === null
    ? "not counted yet: no run has completed"
    : `${counted(audienceSize, "person", "people")}, ${timeAgo(lastRefreshedAt, now)}`
