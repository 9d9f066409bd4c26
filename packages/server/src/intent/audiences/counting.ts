// Counts an audience's people as of now. Updates aliases first and leaves out erased people.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { Tombstones } from "../../people/person/tombstones/tombstones.ts"
import { RemoteSignals } from "../signals/remote-signals-store.ts"
import { RuleTurns, type RulesBusy } from "../../people/visitors/query/rule-turns.ts"
import { StatementTimedOut } from "../../platform/database/statement-timeout.ts"
import { Aliases } from "./aliases/aliases.ts"
import { type AudienceConfig, hasTopics, scoreMax, scoreMin } from "./config.ts"
import type { AudienceQuestion } from "./matching/compile.ts"
import type { AskedSegment } from "./matching/segment.ts"
import { remoteSignalsOf, withoutErased } from "./matching/question.ts"
import { type AudienceBasis, AudienceStore, type CountedPeople, type Explanation } from "./store.ts"

/** Addresses whose tombstones are looked up at once. */
const addressesMax = 2_000

/** How long to wait for aliases, the same as for a turn. */
const aliasesWait = "10 seconds"

export interface Counting {
  readonly organizationId: string
  readonly config: AudienceConfig
  /** `YYYY-MM-DD`. */
  readonly dataDate: string
  readonly segment?: AskedSegment | undefined
  readonly standing: AudienceBasis
}

/** How often to count if the signals are replaced or moved during each count. */
const questionsMax = 5

type Failed = DatabaseError | RulesBusy | StatementTimedOut

const make = Effect.gen(function* () {
  const aliases = yield* Aliases
  const store = yield* AudienceStore
  const tombstones = yield* Tombstones
  const turns = yield* RuleTurns
  const signals = yield* RemoteSignals

  const erasedAmong = Effect.fnUntraced(function* (question: AudienceQuestion) {
    const { organizationId } = question
    const hashes = yield* store.addresses(question)
    const erased: Array<string> = []
    for (let from = 0; from < hashes.length; from += addressesMax) {
      const some = hashes.slice(from, from + addressesMax)
      const found = yield* tombstones.among(
        some.map((emailHash) => ({ organizationId, emailHash })),
      )
      erased.push(...found.map(({ emailHash }) => emailHash))
      yield* Effect.yieldNow
    }
    return erased
  })

  /**
   * Answers a question by the signals of one moment. `erasedOf`: whose people the erased ones are looked for among, by
   * default those of the audience.
   */
  const answered = Effect.fnUntraced(function* <A>(
    { standing, ...audience }: Counting,
    answer: (question: AudienceQuestion) => Effect.Effect<A, StatementTimedOut>,
    erasedOf: (question: AudienceQuestion) => AudienceQuestion = (question) => question,
  ) {
    const { hasErased, version: _, ...has } = standing
    for (let attempt = 0; attempt < questionsMax; attempt++) {
      const remote = yield* Effect.catchReason(
        remoteSignalsOf(signals, audience),
        "SqlError",
        "StatementTimeoutError",
        () => new StatementTimedOut(),
      )
      const whole: AudienceQuestion = { ...audience, ...has, erased: [], remote: remote.signals }
      const { erased } =
        hasErased && hasTopics(audience.config)
          ? yield* withoutErased(erasedOf(whole), erasedAmong)
          : whole
      const question = { ...whole, erased }
      const found = yield* answer(question)
      if (yield* remote.isCurrent) return found
    }
    return yield* new StatementTimedOut()
  })

  return {
    /** Call before `count`. Errors: RulesBusy after waiting 10 seconds for aliases. */
    settle: (organizationId: string): Effect.Effect<void, Failed> =>
      aliases.settle(organizationId, aliasesWait),

    /** Errors: StatementTimedOut, or RulesBusy after waiting 10 seconds for a turn. */
    count: (counting: Counting, sampleMax: number): Effect.Effect<CountedPeople, Failed> =>
      turns.take(
        counting.organizationId,
        answered(counting, (question) => store.count(question, sampleMax)),
      ),

    /** Errors: as for `count`. */
    explain: ({ config, ...counting }: Counting): Effect.Effect<Explanation, Failed> =>
      turns.take(
        counting.organizationId,
        answered(
          { ...counting, config: { ...config, minScore: scoreMin, maxScore: scoreMax } },
          (question) => store.explain(question, config),
          byTopics,
        ),
      ),
  }
})

/** Everyone with the topics, whatever else the audience asks for. */
const byTopics = (question: AudienceQuestion): AudienceQuestion => ({
  ...question,
  config: { ...question.config, filters: {} },
  segment: undefined,
  hasRules: false,
})

export class Countings extends Context.Service<Countings, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Countings",
) {
  static readonly layer = Layer.effect(Countings, make)
}
