// `footfall overview`: sessions, people and companies of a period, by day or by hour.

import type { OverviewParams, SuppressedFilter } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId } from "../command/ids.ts"
import { view } from "../output/print-result.ts"
import { suppressedOption, timeframes } from "../visitors/selection.ts"

interface OverviewOptions {
  readonly timeframe: NonNullable<OverviewParams["timeframe"]>
  readonly from?: string
  readonly to?: string
  readonly compare: NonNullable<OverviewParams["compare"]>
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

export const overviewCommand = define<OverviewOptions>("overview", {
  takes: (command) =>
    command
      .addOption(
        new Option(
          "--timeframe <window>",
          "the days to show, up to today; 24h is the last 24 hours, by hour",
        )
          .choices(timeframes.filter((timeframe) => timeframe !== "all"))
          .default("30d"),
      )
      .addOption(
        new Option("--from <day>", "first day to show, at most 365 days ago").conflicts(
          "timeframe",
        ),
      )
      .option("--to <day>", "last day to show; without it, today")
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
    const { compare, domain, from, pixel, suppressed, timeframe, to } = options
    const overview = await client.overview.get({
      ...(from === undefined && to === undefined ? { timeframe } : { from, to }),
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
