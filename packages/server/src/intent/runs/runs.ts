// Starts, lists, gets and cancels the runs of an audience (spec 4.2, 5.9). What a run will do is fixed when it starts;
// a worker performs it.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../access/audit/audit.ts"
import type { Caller } from "../../access/caller.ts"
import { basisOf, configHash } from "../audiences/config.ts"
import {
  type AudienceKey,
  AudienceLifecycleStore,
  type AudienceRow,
} from "../audiences/lifecycle/store.ts"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { JobWakes } from "../../platform/jobs/queue.ts"
import { Catalog } from "../topics/catalog/catalog.ts"
import { type DataDate, Signals } from "../signals/signals.ts"
import type { Topic } from "../topics/topic.ts"
import { type RunKey, runQueue, RunStatus, runTypes } from "./run.ts"
import { type NewRun, type RunRow, RunStore } from "./store.ts"
import type { AudienceChanges } from "../audiences/lifecycle/audience.ts"

/** The audience, or its run, does not exist. */
export class RunNotFound extends Schema.TaggedError<RunNotFound>()("RunNotFound", {}) {}

export class AudienceNotActive extends Schema.TaggedError<AudienceNotActive>()(
  "AudienceNotActive",
  { status: Schema.String },
) {}

/** An audience has at most one run in progress. */
export class RunInProgress extends Schema.TaggedError<RunInProgress>()("RunInProgress", {
  status: RunStatus,
  runId: Schema.String,
}) {}

export class RunNotQueued extends Schema.TaggedError<RunNotQueued>()("RunNotQueued", {
  status: RunStatus,
}) {}

export interface StartedRun {
  readonly run: RunRow
  /** Whether an earlier request with the same key started it. */
  readonly isReplay: boolean
}

interface RunsShape {
  /**
   * Queues a manual run, or returns the run that an earlier request with the same key started, in its current state,
   * whatever the audience's status.
   *
   * *Errors*: RunNotFound without an audience, AudienceNotActive, RunInProgress.
   */
  start(
    caller: Caller,
    audienceId: string,
    idempotencyKey: string | undefined,
  ): Effect.Effect<StartedRun, RunNotFound | AudienceNotActive | RunInProgress>
  /** Newest first. Errors: RunNotFound without an audience, CursorRefused for another list's cursor. */
  list(
    key: AudienceKey,
    status: RunStatus | undefined,
    position: ListPosition,
    limit: number,
  ): Effect.Effect<ListPage<RunRow>, RunNotFound | CursorRefused>
  find(key: RunKey): Effect.Effect<RunRow, RunNotFound>
  /** Errors: RunNotFound; RunNotQueued, also on the second call or if a worker claimed it first. */
  cancel(caller: Caller, key: RunKey): Effect.Effect<RunRow, RunNotFound | RunNotQueued>
}

const make = Effect.gen(function* () {
  const store = yield* RunStore
  const audiences = yield* AudienceLifecycleStore
  const catalog = yield* Catalog
  const signals = yield* Signals
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const wakes = yield* JobWakes
  const random = yield* SecureRandom.SecureRandom

  const audienceOf = Effect.fnUntraced(function* (key: AudienceKey) {
    return (yield* audiences.find(key)) ?? (yield* new RunNotFound())
  })

  const startOne = Effect.fnUntraced(function* (
    { actor, organizationId }: Caller,
    audienceId: string,
    idempotencyKey: string | undefined,
  ) {
    const key = { organizationId, audienceId }
    // The lock serializes concurrent requests.
    const audience = (yield* audiences.findForChange(key)) ?? (yield* new RunNotFound())
    const earlier =
      idempotencyKey === undefined ? undefined : yield* store.byIdempotencyKey(key, idempotencyKey)
    if (earlier !== undefined) return { run: earlier, isReplay: true }
    if (audience.status !== "active") return yield* new AudienceNotActive(audience)
    const live = yield* store.live(key)
    if (live !== undefined) return yield* new RunInProgress({ status: live.status, runId: live.id })
    const runId = yield* random.uuidV4()
    const run = yield* store.insert({
      ...frozen(
        audience,
        yield* catalog.byId,
        basisOf(audience.config, yield* signals.dataDate(organizationId)),
      ),
      id: runId,
      runType: "manual",
      idempotencyKey: idempotencyKey ?? `manual:${runId}`,
    })
    yield* audit.record({ organizationId, actor }, "run.started", runId)
    // Every other request to start a run waits for the lock.
    return { run: run!, isReplay: false }
  })

  const find = Effect.fn("Runs.find")(function* (key: RunKey) {
    yield* audienceOf(key)
    return (yield* store.find(key)) ?? (yield* new RunNotFound())
  })

  return Runs.of({
    start: Effect.fn("Runs.start")(function* (caller, audienceId, idempotencyKey) {
      const started = yield* store.transaction(startOne(caller, audienceId, idempotencyKey))
      yield* wakes.wake(runQueue)
      return started
    }),

    list: Effect.fn("Runs.list")(function* (key, status, position, limit) {
      const { audienceId, organizationId } = key
      return yield* lists.page<RunRow, RunNotFound>(
        {
          organizationId,
          route: "GET /v1/intent/audiences/{id}/runs",
          filters: [audienceId, status ?? null],
          position,
          limit,
        },
        { ...store.list(key, status), parent: audienceOf(key) },
      )
    }),

    find,

    cancel: Effect.fn("Runs.cancel")(function* ({ actor }, key) {
      yield* audienceOf(key)
      const { organizationId, runId } = key
      const cancelled = yield* store.transaction(
        Effect.tap(store.cancel(key), (run) =>
          run === undefined
            ? Effect.void
            : audit.record({ organizationId, actor }, "run.cancelled", runId),
        ),
      )
      if (cancelled !== undefined) return cancelled
      const { status } = (yield* store.find(key)) ?? (yield* new RunNotFound())
      return yield* new RunNotQueued({ status })
    }),
  })
})

export class Runs extends Context.Service<Runs, RunsShape>()("@footfall/server/runs/Runs") {
  static readonly layer = Layer.effect(Runs, make)
}

/** What a run keeps from the moment it starts. */ // spec 2.11
export const frozen = (
  { config, id, organizationId }: AudienceRow,
  topics: ReadonlyMap<number, Topic>,
  { date, hasSignals }: Pick<DataDate, "date" | "hasSignals">,
): Pick<
  NewRun,
  "audienceId" | "config" | "configHash" | "dataDate" | "hasSignals" | "organizationId" | "topics"
> => ({
  organizationId,
  audienceId: id,
  config,
  configHash: configHash(config),
  // Topics of saved audiences are never removed from the catalog.
  topics: config.topicIds.flatMap((topicId) => topics.get(topicId) ?? []),
  dataDate: date,
  hasSignals,
})

// How changes of an audience affect its runs (spec 4.1, 5.8): queued runs are canceled, but only the daily one when the
// audience is paused; running ones finish.
export const cancelledRuns = Effect.map(RunStore, (store): AudienceChanges["Service"] => ({
  paused: (organizationId, audienceId) =>
    store.cancelQueued({ organizationId, audienceId }, ["daily"]),
  deleted: (organizationId, audienceId) =>
    store.cancelQueued({ organizationId, audienceId }, runTypes),
}))
