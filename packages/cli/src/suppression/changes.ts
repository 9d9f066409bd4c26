// Finds the changes that make the server's list equal a file: which rules to add and which to
// remove. Rules are stored on disk; memory holds 8 bytes per rule of both lists.

import { normalizeRule } from "@footfall/normal-form"
import { DigestSet, noCounts, ruleName, REPORTED_MAX } from "@footfall/normal-form/reading"
import type {
  Footfall,
  Hooks,
  SuppressionRuleCounts,
  SuppressionRuleInput,
  SuppressionRuleType,
} from "@footfall/sdk"
import { type CliError, usageError } from "../errors/cli-error.ts"
import { type Waiting, pagesWithRetries } from "../retry/retry.ts"
import { SpoolWriter, spooledRules } from "./rule-spool.ts"

/** Counts by type, and some of the rules. */
export interface Changes {
  readonly present: SuppressionRuleCounts
  readonly additions: SuppressionRuleCounts
  readonly removals: SuppressionRuleCounts
  /** The first 100 of each. */
  readonly firstAdditions: ReadonlyArray<SuppressionRuleInput>
  readonly firstRemovals: ReadonlyArray<SuppressionRuleInput>
}

/** The files with the wanted rules, and the files for the differences. */
export interface ChangeSpools {
  readonly wanted: string
  readonly additions: string
  readonly removals: string
}

/** The server's maximum per page (spec 1.6). */
export const PAGE_SIZE = 5_000

/**
 * `types`: the types to compare; undefined compares all. Errors: usage, for more rules than it can
 * distinguish, because an unnoticed rule would be removed; those of the server.
 */
export const changesTo = async (
  client: Footfall,
  spools: ChangeSpools,
  types: ReadonlyArray<SuppressionRuleType> | undefined,
  {
    waiting,
    hooks,
    onRules,
    newSet = () => new DigestSet(),
  }: {
    readonly waiting: Waiting
    /** Called for every response. */
    readonly hooks: Hooks
    readonly onRules: (count: number, total: number) => void
    /** Remembers the rules of a list. */
    readonly newSet?: () => DigestSet
  },
): Promise<Changes> => {
  const [wanted, present] = [newSet(), newSet()]
  for (const rule of spooledRules(spools.wanted)) wanted.add(ruleName(rule))
  if (wanted.hasOverflowed) throw tooMany("The files have")
  const presentCounts = noCounts()
  const removals = new Difference(spools.removals)
  for (const type of types ?? [undefined]) {
    const list = client.suppression.list({ type, limit: PAGE_SIZE }, { maxRetries: 0, hooks })
    for await (const { data, meta } of pagesWithRetries(list, waiting)) {
      for (const rule of data) {
        // A rule added in the meantime shifts the pages, so a rule that appears twice counts once.
        const name = ruleName(normalOf(rule))
        if (!present.add(name)) continue
        presentCounts[rule.type] += 1
        if (!wanted.has(name)) removals.add(rule)
      }
      if (present.hasOverflowed) throw tooMany("The list has")
      onRules(data.length, meta.total)
    }
  }
  const additions = new Difference(spools.additions)
  for (const rule of spooledRules(spools.wanted)) {
    if (!present.has(ruleName(rule))) additions.add(rule)
  }
  removals.close()
  additions.close()
  return {
    present: presentCounts,
    additions: additions.counts,
    removals: removals.counts,
    firstAdditions: additions.first,
    firstRemovals: removals.first,
  }
}

// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const isAscii = /^[\x00-\x7f]*$/

/** The rule as a file's rules are written: an older server stores international addresses as it received them. */
export const normalOf = ({ type, value }: SuppressionRuleInput): SuppressionRuleInput => {
  if (isAscii.test(value)) return { type, value }
  const rule = normalizeRule({ type, value })
  return typeof rule === "string" ? { type, value } : rule
}

const tooMany = (who: string): CliError =>
  usageError(
    `${who} more than about 6,000,000 rules, too many to compare. Nothing was changed.`,
    "Compare one type at a time with --types, or change the list with footfall suppression import and remove.",
  )

/** The sum over all types. */
export const sumOf = (counts: SuppressionRuleCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Rules that are in only one of the lists. */
class Difference {
  readonly counts = noCounts()
  readonly first: Array<SuppressionRuleInput> = []
  readonly #spool: SpoolWriter

  constructor(path: string) {
    this.#spool = new SpoolWriter(path)
  }

  add({ type, value }: SuppressionRuleInput): void {
    this.counts[type] += 1
    if (this.first.length < REPORTED_MAX) this.first.push({ type, value })
    this.#spool.add({ type, value, file: 0, line: 0 })
  }

  close(): void {
    this.#spool.close()
  }
}
