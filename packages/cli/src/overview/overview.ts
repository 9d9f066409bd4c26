// `footfall overview`: sessions, people and companies of a period, by day or by hour.

import type { OverviewParams, SuppressedFilter } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId } from "../command/ids.ts"
import { view } from "../output/print-result.ts"
import { addDayOptions, type DayOptions, dayParams } from "./days.ts"
import { suppressedOption } from "../visitors/selection.ts"

interface OverviewOptions extends DayOptions {
  readonly compare: NonNullable<OverviewParams["compare"]>
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

export const overviewCommand = define<OverviewOptions>("overview", {
  takes: (command) =>
    addDayOptions(command)
      .addOption(
        new Option("--compare <period>", "the period right before, or the same dates a year before")
          .choices(["previous", "year"])
          .default("previous"),
      )
      .addOption(
        new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
      )
      .option("--domain <name>", "only the pixel for this domain")
      .addOption(suppressedOption("people and companies, and with their sessions")),
  fields: "totals.people,previous.people",
  examples: [
    "footfall overview",
    "footfall overview --from 2026-03-01 --to 2026-03-31 --compare year",
    "footfall overview --timeframe 90d --json | jq .data.totals",
  ],
  run: async ({ connect, options, print }) => {
    const client = await connect()
    const { compare, domain, pixel, suppressed } = options
    const overview = await client.overview.get({
      ...dayParams(options),
      compare,
      suppressed,
      ...(pixel === undefined ? { domain } : { pixelId: pixel }),
    })
    await print(
      overview,
      view(async () => (await import("./views.tsx")).OverviewView, { overview, compare }),
    )
  },
})
