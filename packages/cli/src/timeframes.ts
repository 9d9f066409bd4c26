// The windows the API knows.

import type { Timeframe } from "@footfall/sdk"

/** Source: spec 1.5. */
export const timeframes = [
  "24h",
  "7d",
  "14d",
  "30d",
  "90d",
  "all",
] satisfies ReadonlyArray<Timeframe>
