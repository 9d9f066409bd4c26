// Metrics that a collector receives (outbound/telemetry.ts) have to be kept up to date without a scrape.
import { Context } from "effect"

export const MetricsAreExported = Context.Reference<boolean>(
  "@footfall/server/metrics/MetricsAreExported",
  { defaultValue: () => false },
)

/** How often they are sent. */
export const exportInterval = "10 seconds"
