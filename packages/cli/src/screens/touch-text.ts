// How a session came to the site, in one line: the channel, then the campaign or the referrer.

import type { SessionSummary, Touch } from "@footfall/sdk"

/** For example `email · newsletter / spring-launch` or `referral · search.example`. */
export const touchText = (
  touch: Pick<SessionSummary, "channel" | "utmSource" | "utmCampaign"> &
    Partial<Pick<Touch, "referrerDomain">>,
): string => {
  const campaign = [touch.utmSource, touch.utmCampaign].filter((part) => part !== null).join(" / ")
  const origin = campaign === "" ? (touch.referrerDomain ?? "") : campaign
  const channel = touch.channel.replaceAll("_", " ")
  return origin === "" ? channel : `${channel} · ${origin}`
}
