// The formats of a visitor webhook, and how often it sends (spec 14.1, 14.4).
import { Schema } from "effect"

export const Format = Schema.Literals(["standard", "slack", "teams", "discord"])
export type Format = typeof Format.Type
export type MessageFormat = Exclude<Format, "standard">

export const DigestPeriod = Schema.Literals(["immediate", "hourly", "daily"])
export type DigestPeriod = typeof DigestPeriod.Type
