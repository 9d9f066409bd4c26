// The options that say which visitors are meant: window, pixel scope and suppression. They have the
// words and bounds of the API, so that a mistake is refused before anything is sent.

import type { PixelScope, SuppressedFilter, Timeframe } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { timeframes } from "../../timeframes.ts"
import { uuid } from "../uuid.ts"

/** As commander hands them to a command. */
export interface QuestionOptions {
  readonly timeframe: Timeframe
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

/** Adds the options. The window's default is the one of the endpoint (spec 5.1). */
export const addQuestionOptions = (command: Command, timeframeDefault: Timeframe): Command =>
  command
    .addOption(
      new Option("--timeframe <window>", "how far back to look")
        .choices(timeframes)
        .default(timeframeDefault),
    )
    .addOption(new Option("--pixel <id>", "only this pixel").argParser(pixelId).conflicts("domain"))
    .option("--domain <name>", "only the pixel of this domain")
    .addOption(suppressedOption())

/** `--suppressed`, for every list of visitors. */
export const suppressedOption = (): Option =>
  new Option("--suppressed <filter>", "what to do with suppressed visitors")
    .choices(["include", "exclude", "only"])
    .default("include")

/** The parameters of the SDK's call. */
export const questionParams = (
  options: QuestionOptions,
): PixelScope & { readonly timeframe: Timeframe; readonly suppressed: SuppressedFilter } => ({
  timeframe: options.timeframe,
  suppressed: options.suppressed,
  ...(options.pixel === undefined ? { domain: options.domain } : { pixelId: options.pixel }),
})

/** The window in words, to follow `12 visitors`. */
export const windowInWords = (timeframe: Timeframe): string => {
  if (timeframe === "all") return "in the whole history"
  if (timeframe === "24h") return "in the last 24 hours"
  return `in the last ${timeframe.slice(0, -1)} days`
}

/** A parser of the ids of pixels. Errors: InvalidArgumentError. */
export const pixelId = uuid("a pixel", "footfall pixels list")
