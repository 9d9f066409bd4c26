// `footfall breakdown`: what a period's sessions have most of: pages, sources, campaigns, countries or devices.

import type { BreakdownParams, SuppressedFilter } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId } from "../command/ids.ts"
import { wholeNumber } from "../command/values.ts"
import { view } from "../output/print-result.ts"
import { suppressedOption } from "../visitors/selection.ts"
import { addDayOptions, type DayOptions, dayParams } from "./days.ts"

interface BreakdownOptions extends DayOptions {
  readonly by: BreakdownParams["by"]
  readonly compare: NonNullable<BreakdownParams["compare"]>
  readonly limit: number
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

/** In the order of the API. */
const dimensions: ReadonlyArray<BreakdownParams["by"]> = [
  "page",
  "entry_page",
  "channel",
  "source",
  "campaign",
  "country",
  "device",
]

const ROWS_MAX = 100

export const breakdownCommand = define<BreakdownOptions>("breakdown", {
  takes: (command) =>
    addDayOptions(
      command.addOption(
        new Option("--by <dimension>", "what to count by").choices(dimensions).default("page"),
      ),
    )
      .addOption(
        new Option("--compare <period>", "the period right before, or the same dates a year before")
          .choices(["previous", "year"])
          .default("previous"),
      )
      .addOption(
        new Option("--limit <count>", "how many to show")
          .argParser(wholeNumber(ROWS_MAX))
          .default(10),
      )
      .addOption(
        new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
      )
      .option("--domain <name>", "only the pixel for this domain")
      .addOption(suppressedOption("people and companies, and with their sessions")),
  fields: "rows,totals.sessions",
  examples: [
    "footfall breakdown",
    "footfall breakdown --by campaign --timeframe 7d",
    "footfall breakdown --by source --limit 100 --json | jq .data.rows",
  ],
  run: async ({ connect, options, print }) => {
    const client = await connect()
    const { by, compare, domain, limit, pixel, suppressed } = options
    const breakdown = await client.overview.breakdown({
      by,
      ...dayParams(options),
      compare,
      limit,
      suppressed,
      ...(pixel === undefined ? { domain } : { pixelId: pixel }),
    })
    await print(
      breakdown,
      view(async () => (await import("./views.tsx")).BreakdownView, { breakdown, compare }),
    )
  },
})
