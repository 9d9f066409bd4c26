// The options that choose days: those of an overview, a breakdown and a company's activity.

import type { OverviewParams } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { timeframes } from "../visitors/selection.ts"

export interface DayOptions {
  readonly timeframe: NonNullable<OverviewParams["timeframe"]>
  readonly from?: string
  readonly to?: string
}

export const addDayOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--timeframe <window>", "the days to show, up to today; 24h is the last 24 hours")
        .choices(timeframes.filter((timeframe) => timeframe !== "all"))
        .default("30d"),
    )
    .addOption(
      new Option("--from <day>", "first day to show, at most 365 days ago").conflicts("timeframe"),
    )
    .option("--to <day>", "last day to show; without it, today")

export const dayParams = ({ from, timeframe, to }: DayOptions) =>
  from === undefined && to === undefined ? { timeframe } : { from, to }
