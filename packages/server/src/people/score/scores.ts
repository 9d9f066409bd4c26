// The settings of an organization's score, and the score of a person or a company with its reasons (spec 2.23). Scores
// are computed in the background (computing.ts); what is read here is what was stored, with its time.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import type { Reason } from "../visitors/score-reason.ts"
import { RuleReader } from "../visitors/query/rule-reader.ts"
import { defaultScore } from "./default-score.ts"
import { reasonOf } from "./reason.ts"
import { readRules } from "./score-rules.ts"
import {
  countedEntries,
  entriesMax,
  type FitEntry,
  type InterestEntry,
  type Score,
  type ScoreConfig,
} from "./score.ts"
import type { TooSlow } from "./sql/rounds.ts"
import { type ScoreRow, ScoreStore } from "./store.ts"

export class ScoreNotFound extends Schema.TaggedError<ScoreNotFound>()("ScoreNotFound", {}) {}

/** More than 25 entries. */
export class TooManyEntries extends Schema.TaggedError<TooManyEntries>()("TooManyEntries", {
  received: Schema.Int,
}) {}

/** Two entries of a part have one name. */
export class NameTaken extends Schema.TaggedError<NameTaken>()("NameTaken", {
  /** JSON pointer into the body. */
  path: Schema.String,
  name: Schema.String,
}) {}

export interface ScoreSettings extends ScoreConfig {
  /** False while the default is in force. */
  readonly custom: boolean
  readonly tooSlow: ReadonlyArray<TooSlow>
}

/** Rules are any JSON; they are parsed here. */
type Unread<Entry> = Omit<Entry, "rule"> & { readonly rule: unknown }

export interface ScoreChange {
  readonly fit?: ReadonlyArray<Unread<FitEntry>>
  readonly interest?: ReadonlyArray<Unread<InterestEntry>>
  readonly weights?: ScoreConfig["weights"]
  readonly threshold?: number
}

export interface ExplainedScore extends Score {
  /** ISO 8601. */
  readonly computedAt: string
  readonly entries: ReadonlyArray<{
    readonly part: "fit" | "interest"
    readonly name: string
    readonly points: number
    readonly reason: Reason
  }>
  /** The totals with which the day and the week began. */
  readonly previous: { readonly dayAgo: number | null; readonly monday: number | null }
}

const make = Effect.gen(function* () {
  const store = yield* ScoreStore
  const rules = yield* RuleReader
  const audit = yield* Audit

  const settings = (organizationId: string): Effect.Effect<ScoreSettings> =>
    Effect.map(store.settings(organizationId), ({ config, tooSlow }) => ({
      ...(config ?? defaultScore),
      custom: config !== null,
      tooSlow,
    }))

  /** What is left out is that of the default; nothing at all restores the default. */
  const read = Effect.fnUntraced(function* (organizationId: string, change: ScoreChange) {
    if (Object.keys(change).length === 0) return null
    const { threshold = defaultScore.threshold, weights = defaultScore.weights } = change
    const { fit = defaultScore.fit, interest = defaultScore.interest } = change
    const received = fit.length + interest.length
    if (received > entriesMax) return yield* new TooManyEntries({ received })
    yield* distinctNames("fit", fit)
    yield* distinctNames("interest", interest)
    const nodes = yield* readRules(rules, organizationId, [
      ...fit.map(({ rule }, index) => ({ path: `/fit/${index}/rule`, rule })),
      ...interest.map(({ rule }, index) => ({ path: `/interest/${index}/rule`, rule })),
    ])
    return {
      fit: fit.map(({ name, points }, index) => ({ name, rule: nodes[index]!, points })),
      interest: interest.map(({ halfLifeDays, name, points }, index) => ({
        name,
        rule: nodes[fit.length + index]!,
        points,
        halfLifeDays,
      })),
      weights: { fit: weights.fit, interest: weights.interest },
      threshold,
    } satisfies ScoreConfig
  })

  return {
    settings,

    /** Errors: InvalidRule with the first error, TooManyEntries, NameTaken. */
    change: Effect.fn("Scores.change")(function* (caller: Caller, change: ScoreChange) {
      const { organizationId } = caller
      const storing = Effect.gen(function* () {
        const config = yield* read(organizationId, change)
        const isNew = yield* store.change(organizationId, config)
        if (isNew) yield* audit.record(caller, "score.updated", null)
        return yield* settings(organizationId)
      })
      return yield* store.transaction(storing)
    }),

    /** Of the person with the address. Errors: ScoreNotFound, also for someone suppressed or held back. */
    ofPerson: Effect.fn("Scores.ofPerson")(function* (organizationId: string, emailHash: string) {
      const row = yield* store.ofPerson(organizationId, emailHash, yield* DateTime.now)
      return row === undefined ? yield* new ScoreNotFound() : explained(row)
    }),

    /** Of a registrable domain. Errors: ScoreNotFound, also for a suppressed company. */
    ofCompany: Effect.fn("Scores.ofCompany")(function* (organizationId: string, domain: string) {
      const row = yield* store.ofCompany(organizationId, domain, yield* DateTime.now)
      return row === undefined ? yield* new ScoreNotFound() : explained(row)
    }),
  }
})

const distinctNames = (
  part: "fit" | "interest",
  entries: ReadonlyArray<{ readonly name: string }>,
): Effect.Effect<void, NameTaken> => {
  const names = new Set<string>()
  for (const [index, { name }] of entries.entries()) {
    if (names.has(name)) return Effect.fail(new NameTaken({ path: `/${part}/${index}/name`, name }))
    names.add(name)
  }
  return Effect.void
}

/** A company's interest is that of its people and of everyone unknown: an entry has the points of all of them. */
const explained = (row: ScoreRow): ExplainedScore => {
  const { computedAt, dayAgo, fit, fitHeld, interest, interests, monday, total } = row
  const counted = countedEntries(row.config ?? defaultScore, fitHeld, interests)
  return {
    total,
    fit,
    interest,
    hot: row.isHot,
    computedAt,
    entries: counted.map((each) => ({
      part: each.part,
      name: each.entry.name,
      points: each.points,
      reason: reasonOf(each),
    })),
    previous: { dayAgo, monday },
  }
}

export class Scores extends Context.Service<Scores, Effect.Success<typeof make>>()(
  "@footfall/server/score/Scores",
) {
  static readonly layer = Layer.effect(Scores, make)
}
