// `footfall overview`: sessions, people and companies within a window, day by day.

import type { OverviewParams, SuppressedFilter } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId } from "../command/ids.ts"
import { view } from "../output/print-result.ts"
import { suppressedOption, timeframes } from "../visitors/selection.ts"

interface OverviewOptions {
  readonly timeframe: NonNullable<OverviewParams["timeframe"]>
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

export const overviewCommand = define<OverviewOptions>("overview", {
  takes: (command) =>
    command
      .addOption(
        new Option("--timeframe <window>", "the days to show, up to today")
          .choices(timeframes.filter((timeframe) => timeframe !== "all"))
          .default("30d"),
      )
      .addOption(
        new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
      )
      .option("--domain <name>", "only the pixel for this domain")
      .addOption(suppressedOption("people and companies, and with their sessions")),
  fields: "totals.people,previous.people",
  examples: ["footfall overview", "footfall overview --timeframe 90d --json | jq .data.totals"],
  run: async ({ connect, options, print }) => {
    const client = await connect()
    const { domain, pixel, suppressed, timeframe } = options
    const overview = await client.overview.get({
      timeframe,
      suppressed,
      ...(pixel === undefined ? { domain } : { pixelId: pixel }),
    })
    await print(
      overview,
      view(async () => (await import("./views.tsx")).OverviewView, { overview }),
    )
  },
})
