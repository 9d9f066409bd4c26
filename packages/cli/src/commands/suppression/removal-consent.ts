// The question before rules are removed: a yes, or the number of rules where most of a long list goes.

import { Option } from "commander"
import { requireConsent } from "../../terminal/consent.ts"
import { canAsk, type Terminal } from "../../terminal/terminal.ts"
import { wholeNumber } from "../whole-number.ts"

/** As commander hands them over. */
export interface RemovalOptions {
  readonly yes?: true
  readonly allowRemovals?: number
}

/** Said before every removal. */
export const REMOVAL_MEANS = "People who match cost credits and trigger webhooks again."

/** `--allow-removals`. */
export const allowRemovalsOption = (): Option =>
  new Option(
    "--allow-removals <count>",
    "allow so many removals, also of more than half of the list, and no more",
  ).argParser(wholeNumber(1_000_000_000, 0))

/** Errors: usage, for more than is allowed, or when the number cannot be typed; those of `requireConsent`. */
export const requireRemovalConsent = async (
  terminal: Terminal,
  removal: {
    /** A sentence that says what will happen. */
    readonly what: string
    readonly removals: number
    /** Rules there are. */
    readonly present: number
    /** Whether nothing is left. */
    readonly isCleared: boolean
    readonly options: RemovalOptions
  },
): Promise<void> => {
  const { checkAllowed, needsCount, uncountedError } = await import("../../suppression/removals.ts")
  const { what, isCleared, options } = removal
  const counts = { ...removal, allowed: options.allowRemovals }
  checkAllowed(counts)
  const isMost = needsCount(counts)
  if (isMost && (options.yes || !canAsk(terminal))) throw uncountedError(counts)
  await requireConsent(terminal, {
    what,
    ...(isMost || isCleared ? { phrase: String(removal.removals) } : {}),
    isGiven: options.yes === true,
  })
}
