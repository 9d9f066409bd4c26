// The account on a terminal: health, credits, pixels and intent access.

import type { AccountStatus, Credits, IntentAccess } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Bar } from "../ui/bars.tsx"
import { Facts } from "../ui/facts.tsx"
import { counted, countText } from "../ui/text.ts"

/** The account as returned by the API. */
interface AccountViewProps {
  readonly account: AccountStatus
  readonly screenColumns: number
}

/** Leaves room for the figures on 60 columns. */
const BAR_WIDTH = 24

/** The bar warns from this share of the credits. */
const CREDITS_LOW_FRACTION = 0.9

/** The meaning of each color is also a word. */
export const AccountView = ({ account, screenColumns }: AccountViewProps): ReactNode => {
  const { organization, credits, pixels, intent, healthy } = account
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Box flexDirection="column">
        <Text bold>{plainText(organization.name)}</Text>
        <Text color={healthy ? "green" : "red"}>{healthText(account)}</Text>
      </Box>
      {credits.limit === null ? null : <CreditsBar credits={credits} limit={credits.limit} />}
      <Facts
        facts={[
          ["Credits", creditsText(credits)],
          ["On hold", heldBackText(credits)],
          ["Pixels", pixelsText(pixels)],
          ["Intent", intentText(intent)],
          ["Slug", organization.slug],
          ["Id", organization.id],
        ]}
      />
    </Box>
  )
}

const CreditsBar = (props: { readonly credits: Credits; readonly limit: number }): ReactNode => {
  const { credits, limit } = props
  const fraction = limit === 0 ? 1 : credits.used / limit
  const isLow = fraction >= CREDITS_LOW_FRACTION
  return <Bar fraction={fraction} width={BAR_WIDTH} color={isLow ? "yellow" : "cyan"} />
}

const healthText = ({ healthy, organization, credits }: AccountStatus): string => {
  if (healthy) return organization.status === "trial" ? "healthy (trial)" : "healthy"
  if (organization.status === "suspended" || organization.status === "expired") {
    return `${organization.status}: only footfall account works. To change that, ask the server operator`
  }
  return credits.remaining === 0 ? "out of credits" : "not healthy"
}

const creditsText = ({ used, limit, remaining, resetsAt }: Credits): string => {
  if (limit === null) return `${countText(used)} used this month, no limit`
  const until = resetsAt === null ? "" : ` until ${resetsAt.slice(0, 10)}`
  return `${countText(used)} of ${countText(limit)} used, ${countText(remaining ?? 0)} left${until}`
}

const heldBackText = ({ heldBack }: Credits): string | null =>
  heldBack === 0
    ? null
    : `${counted(heldBack, "person", "people")}, until credits are available again`

const pixelsText = ({ total, active, paused }: AccountStatus["pixels"]): string => {
  if (total === 0) return "none yet. Run: footfall pixels create <domain>"
  return paused === 0 ? `${active} active` : `${active} active, ${paused} paused`
}

const intentText = ({ enabled, slots, oneShotEligible, dataDate }: IntentAccess): string => {
  if (!enabled) return "not enabled"
  const limit = slots.limit === null ? "no limit" : `of ${slots.limit}`
  return [
    `${counted(slots.used, "slot")} used, ${limit}`,
    oneShotEligible ? "one-shot access" : null,
    dataDate === null ? "no data yet" : `data from ${dataDate}`,
  ]
    .filter((part) => part !== null)
    .join(" · ")
}
