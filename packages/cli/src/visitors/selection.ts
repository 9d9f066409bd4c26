// The options and arguments that select visitors.

import type { PixelScope, SuppressedFilter, Timeframe } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { pixelId } from "../command/ids.ts"
import { usageError } from "../errors/cli-error.ts"

/** Source: spec 1.5. */
export const timeframes = [
  "24h",
  "7d",
  "14d",
  "30d",
  "90d",
  "all",
] satisfies ReadonlyArray<Timeframe>

export interface PeriodOptions {
  readonly timeframe: Timeframe
  readonly from?: string
  readonly to?: string
}

/** Adds the options of a period. */
export const addPeriodOptions = (command: Command, timeframeDefault: Timeframe): Command =>
  command
    .addOption(
      new Option("--timeframe <window>", "how far back to look")
        .choices(timeframes)
        .default(timeframeDefault),
    )
    .addOption(
      new Option("--from <day>", "first day to look at, for example 2026-03-01").conflicts(
        "timeframe",
      ),
    )
    .option("--to <day>", "last day to look at; without it, today")

/** The period as the SDK takes it. The server says what is wrong with a day. */
export const periodParams = ({ from, timeframe, to }: PeriodOptions) =>
  from === undefined && to === undefined ? { timeframe } : { from, to }

export interface SelectionOptions extends PeriodOptions {
  readonly pixel?: string
  readonly domain?: string
  readonly suppressed: SuppressedFilter
}

/** Adds the options. The default window is the endpoint's (spec 5.1). */
export const addSelectionOptions = (
  command: Command,
  timeframeDefault: Timeframe,
  suppressedDefault: SuppressedFilter = "exclude",
): Command =>
  addPeriodOptions(command, timeframeDefault)
    .addOption(
      new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
    )
    .option("--domain <name>", "only the pixel for this domain")
    .addOption(suppressedOption("visitors", suppressedDefault))

/** `--suppressed`, for every list and for the figures. Unlike the API, lists of visitors leave them out by default. */ // spec 13.3.7
export const suppressedOption = (what: string, byDefault: SuppressedFilter = "exclude"): Option =>
  new Option("--suppressed <filter>", `what to do with suppressed ${what}`)
    .choices(["include", "exclude", "only"])
    .default(byDefault)

/** `--sort`, for lists of visitors and companies. */
export const sortOption = (): Option =>
  new Option(
    "--sort <order>",
    "last seen first, or highest score first (default: last_seen)",
  ).choices(["last_seen", "score"])

/** The parameters of the SDK's call. */
export const selectionParams = (
  options: SelectionOptions,
): PixelScope & {
  readonly timeframe?: Timeframe
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly suppressed: SuppressedFilter
} => ({
  ...periodParams(options),
  suppressed: options.suppressed,
  ...(options.pixel === undefined ? { domain: options.domain } : { pixelId: options.pixel }),
})

/** The window in words, to follow `12 visitors`. */
export const windowInWords = ({ from, timeframe, to }: PeriodOptions): string => {
  if (from !== undefined) return to === undefined ? `since ${from}` : `from ${from} to ${to}`
  if (timeframe === "all") return "in total"
  if (timeframe === "24h") return "in the last 24 hours"
  return `in the last ${timeframe.slice(0, -1)} days`
}

/** The longest possible address (RFC 5321). */
const EMAIL_LENGTH_MAX = 254

/** A person, and the normalized form of the given text. */
interface NamedVisitor {
  readonly id: string
  readonly name: string
}

/** Loads its dependencies late, because `--help` does not need them. Errors: usage, for text that is neither. */
export const visitorNamed = async (text: string): Promise<NamedVisitor> => {
  const given = text.trim()
  if (/^[0-9a-f]{64}$/i.test(given)) {
    return { id: given.toLowerCase(), name: given.toLowerCase() }
  }
  const [{ normalizeEmail }, { default: crypto }] = await Promise.all([
    import("@footfall/normal-form"),
    import("node:crypto"),
  ])
  const email = normalizeEmail(given, EMAIL_LENGTH_MAX)
  if (email !== undefined) {
    return { id: crypto.createHash("sha256").update(email).digest("hex"), name: email }
  }
  throw usageError(
    `"${text}" does not identify a person.`,
    "Expected an email address, or the SHA-256 of one (64 hex digits).",
  )
}
