// Performs a claimed run (spec 2.8, 4.2): finds who is in the audience on the data date, stores them with their data,
// and completes the run in the same transaction. Erased people are left out, including those erased during the run. A
// lost worker's transaction never commits.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Aliases } from "../../audiences/aliases/aliases.ts"
import { AppliedFilters } from "../../audiences/config-request.ts"
import { AudienceLifecycleStore } from "../../audiences/lifecycle/store.ts"
import { hasTopics } from "../../audiences/config.ts"
import type { AudienceQuestion } from "../../audiences/matching/compile.ts"
import { remoteSignalsOf, withoutErased } from "../../audiences/matching/question.ts"
import { segmentOf } from "../../audiences/matching/segment.ts"
import { AudienceStore } from "../../audiences/store.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { type Claim, ClaimLost } from "../../../platform/jobs/queue.ts"
import { Tombstones } from "../../../people/person/tombstones/tombstones.ts"
import { SegmentStore } from "../../../people/visitors/segments/store.ts"
import { RemoteSignals } from "../../signals/remote-signals-store.ts"
import { RunCompletion, runErrorCodes, runQueue } from "../run.ts"
import { type RunRow, RunStore } from "../store.ts"
import { RunLimits } from "./compile.ts"
import { failureOf, MaterializationStore } from "./store.ts"

/** How often people are selected again because of an erasure or a move of signals. */
const selectedAgainMax = 3

/** How long a run waits for aliases, which other runs compute too. */
const aliasesWait = "3 minutes"

/** Why a run did not complete. */
export class RunFailed extends Schema.TaggedError<RunFailed>()("RunFailed", {
  code: Schema.Literals(runErrorCodes),
  message: Schema.String,
  /** Whether another attempt may succeed. */
  isRetryable: Schema.Boolean,
}) {}

/** A person was erased, or signals moved to another store, while the run's people were selected. */
class DataChanged extends Schema.TaggedError<DataChanged>()("DataChanged", {}) {}

const StoredConfig = Schema.Struct({
  segmentId: Schema.optionalKey(Schema.String),
  topicIds: Schema.Array(Schema.Int),
  minScore: Schema.Int,
  maxScore: Schema.Int,
  minTopicOverlap: Schema.Int,
  filters: AppliedFilters,
})

const make = Effect.gen(function* () {
  const runs = yield* RunStore
  const store = yield* MaterializationStore
  const audiences = yield* AudienceStore
  const lifecycle = yield* AudienceLifecycleStore
  const aliases = yield* Aliases
  const tombstones = yield* Tombstones
  const completion = yield* RunCompletion
  const segments = yield* SegmentStore
  const signals = yield* RemoteSignals

  /** Among everyone who qualifies, because candidates are counted too. */
  const erasedAmong = Effect.fnUntraced(function* (question: AudienceQuestion) {
    const { config, organizationId } = question
    const candidates = { ...question, config: { ...config, filters: {} }, hasRules: false }
    const erased: Array<string> = []
    yield* store.eachAddresses(candidates, (hashes) =>
      Effect.map(
        tombstones.among(hashes.map((emailHash) => ({ organizationId, emailHash }))),
        (found) => found.forEach(({ emailHash }) => erased.push(emailHash)),
      ),
    )
    return erased
  })

  const materialized = Effect.fnUntraced(function* (run: RunRow, claim: Claim) {
    const { audienceId, dataDate, id: runId, organizationId } = run
    const { resultsMax } = yield* RunLimits
    const config = yield* configOf(run)
    const erasedBefore = yield* store.tombstones(organizationId)
    const { hasErased, version: _, ...has } = yield* audiences.standing(organizationId)
    const segment = yield* Effect.catchTag(
      segmentOf(segments, { organizationId, config }),
      "ConfigInvalid",
      () => segmentDeleted,
    )
    const remote = yield* remoteSignalsOf(signals, { organizationId, config, dataDate })
    const initialQuestion: AudienceQuestion = {
      organizationId,
      config,
      dataDate,
      segment,
      ...has,
      erased: [],
      remote: remote.signals,
    }
    // Erased people are no visitors, but they may still be named by signals.
    const question =
      hasErased && hasTopics(config)
        ? yield* withoutErased(initialQuestion, erasedAmong)
        : initialQuestion
    const { candidates, found } = yield* store.keep(question, { runId, resultsMax })
    if (found > resultsMax) return yield* tooLarge(found, resultsMax)
    const { results, tallies } = yield* store.tally({ organizationId, runId })
    yield* store.lockResults(organizationId)
    const hasErasedMore = (yield* store.tombstones(organizationId)) !== erasedBefore
    if (hasErasedMore || !(yield* remote.isCurrent)) return yield* new DataChanged()
    const completed = yield* runs.complete(claim, { candidates, results, tallies })
    if (completed === undefined) return yield* new ClaimLost()
    const { completedAt, resultCount } = completed
    // a completed run has a time
    const refreshed = { resultCount, completedAt: completedAt! }
    yield* lifecycle.refreshed(organizationId, audienceId, refreshed)
    yield* completion.completed(completed)
  })

  const outcome = Effect.fnUntraced(function* (claim: Claim) {
    const run = yield* runs.claimed(claim)
    if (run === undefined) return
    if (!run.hasSignals) return yield* withoutData
    if (hasTopics(run.config)) yield* aliases.settle(run.organizationId, aliasesWait)
    yield* Effect.retry(store.transaction(materialized(run, claim)), {
      while: (error) => error._tag === "DataChanged",
      times: selectedAgainMax,
    })
  })

  const failed = (claim: Claim, { code, isRetryable, message }: RunFailed) =>
    isRetryable && claim.attempts < runQueue.attemptsMax
      ? Effect.asVoid(runs.jobs.retry(claim, { code, message }))
      : runs.fail(claim, { code, message })

  return {
    /** Completes the run, schedules another attempt, or fails it. Does nothing without the claim. */
    perform: (claim: Claim): Effect.Effect<void, DatabaseError> =>
      outcome(claim).pipe(
        Effect.catchTags({
          SqlError: (error) => failureOfDatabase(error),
          StatementTimedOut: () => timedOut,
          RulesBusy: () => timedOut,
          DataChanged: () => dataChanged,
          ClaimLost: () => Effect.void,
        }),
        Effect.catchTag("RunFailed", (failure) => failed(claim, failure)),
        Effect.withSpan("Materialization.perform"),
      ),

    /** Records an attempt that ended in an unforeseen way. */
    giveUp: (claim: Claim, reason: "lost" | "unexpected"): Effect.Effect<void, DatabaseError> =>
      failed(claim, reason === "lost" ? lost : unexpected),
  }
})

export class Materialization extends Context.Service<
  Materialization,
  Effect.Success<typeof make>
>()("@footfall/server/runs/Materialization") {
  static readonly layer = Layer.effect(Materialization, make)
}

/** The stored configuration, unless it can no longer be parsed. */
const configOf = ({ config, topics }: RunRow) => {
  const stored = Schema.decodeUnknownOption(StoredConfig)(config)
  return Option.isSome(stored) && topics.length === stored.value.topicIds.length
    ? Effect.succeed(config)
    : new RunFailed({
        code: "CONFIG_INVALID",
        message: "The run's configuration contains values this server does not know.",
        isRetryable: false,
      })
}

const segmentDeleted = new RunFailed({
  code: "CONFIG_INVALID",
  message: "The segment of this run was deleted before the run began.",
  isRetryable: false,
})

const withoutData = new RunFailed({
  code: "DATA_UNAVAILABLE",
  message: "There is no intent data for this organization yet.",
  isRetryable: false,
})

const timedOut = new RunFailed({
  code: "QUERY_TIMEOUT",
  message: "The run took too long.",
  isRetryable: true,
})

const notStored = new RunFailed({
  code: "STORAGE_ERROR",
  message: "The results could not be stored. See the server's log.",
  isRetryable: true,
})

const dataChanged = new RunFailed({
  code: "INTERNAL_ERROR",
  message: "People were erased or signals moved during the run.",
  isRetryable: true,
})

const lost = new RunFailed({
  code: "INTERNAL_ERROR",
  message: "The worker stopped during the run.",
  isRetryable: false,
})

const unexpected = new RunFailed({
  code: "INTERNAL_ERROR",
  message:
    "Something went wrong on the server. To find the details, search the server's log for the run id.",
  isRetryable: true,
})

const tooLarge = (found: number, resultsMax: number) =>
  new RunFailed({
    code: "RESULT_TOO_LARGE",
    message: `The audience is too large: it found ${found} people, and a run keeps at most ${resultsMax}.`,
    isRetryable: false,
  })

const failureOfDatabase = (error: DatabaseError): Effect.Effect<never, RunFailed> => {
  switch (failureOf(error)) {
    case "timeout":
      return timedOut
    case "storage":
      return Effect.andThen(
        Effect.logError("could not store the results of a run", error),
        notStored,
      )
    case "other":
      return Effect.die(error)
  }
}
