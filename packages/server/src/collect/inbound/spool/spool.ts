// Keeps requests safe while Postgres is away, and replays them in order, each once (spec 15.3.5). Every process that takes
// requests has a spool of its own and replays it itself.
import { Cause, Clock, Context, Effect, Exit, Layer, Metric, Schedule } from "effect"
import { join } from "node:path"
import { isDatabaseError, isOutOfOrder } from "../../../platform/database/database-error.ts"
import { Background } from "../../../platform/database/statement-limits.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { readBody, type BodyForm } from "../body.ts"
import { InboundConfig } from "../inbound-config.ts"
import { InboundStore } from "../store.ts"
import { recordsOf, Taking } from "../taking.ts"
import { beatMs, type SpoolEntry, SpoolFiles } from "./files.ts"

export interface SpooledRequest {
  readonly organizationId: string
  readonly sourceId: string
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly form: BodyForm
  readonly body: Uint8Array
}

const replayEvery = "500 millis"
/** A request that is the reason of its failure is set aside after this many tries. */
const triesMax = 5
const answerMax = "2 seconds"

const make = Effect.gen(function* () {
  const config = yield* InboundConfig
  const keys = (yield* Secrets).keys("inbound-spool")
  const store = yield* InboundStore
  const taking = yield* Taking
  const clock = yield* Clock.Clock
  const directory = join(config.dataDir, "inbound", "spool")
  const files = new SpoolFiles({
    directory,
    bytesMax: config.spoolBytesMax,
    keys,
    now: () => clock.currentTimeMillisUnsafe(),
  })
  /** Of files that were replayed in part: which entries are done, how often others failed, and whose they are. */
  const progress = new Map<
    string,
    {
      readonly done: Set<number>
      readonly failures: Map<number, number>
      readonly rest: Set<string>
    }
  >()
  let isAway = false

  const noteSize = Effect.suspend(() =>
    Effect.andThen(
      Metric.update(waitingRequests, files.entries),
      Metric.update(waitingBytes, files.bytes),
    ),
  )

  /** Whether Postgres answers. */
  const answers = store.version.pipe(
    Effect.as(true),
    Effect.timeoutOrElse({ duration: answerMax, orElse: () => Effect.succeed(false) }),
    Effect.catchCause(() => Effect.succeed(false)),
  )

  const replayOne = Effect.fnUntraced(function* (request: SpooledRequest) {
    const source = yield* store.find({
      organizationId: request.organizationId,
      id: request.sourceId,
    })
    if (source === undefined) return "gone" as const
    const read = readBody(request.form, request.body)
    // The door has read it.
    const records = "value" in read ? recordsOf(read.value, source) : []
    const { receivedAt, requestId } = request
    return yield* taking.take({ source, requestId, receivedAt, records })
  })

  /** Replays what isn't done of a file. `held`: sources of which a request failed, so that no later one overtakes it. */
  const replayFile = Effect.fnUntraced(function* (
    path: string,
    held: Set<string>,
  ): Effect.fn.Return<"done" | "held" | "away"> {
    const known = progress.get(path)
    // Reading it again would only cost time.
    if (known !== undefined && known.rest.size > 0 && [...known.rest].every((id) => held.has(id)))
      return "held"
    const entries = yield* Effect.promise(() => files.read(path))
    const { done, failures, rest } = known ?? {
      done: new Set(),
      failures: new Map(),
      rest: new Set(),
    }
    progress.set(path, { done, failures, rest })
    rest.clear()
    const setAside = Effect.fnUntraced(function* (place: number, entry: SpoolEntry) {
      yield* Effect.promise(() => files.setAside(entry))
      yield* Metric.update(brokenRequests, 1)
      done.add(place)
    })
    for (const [place, entry] of entries.entries()) {
      if (done.has(place)) continue
      const request = entry.opened === undefined ? undefined : requestOf(entry.opened)
      if (request === undefined) {
        // Another FOOTFALL_SECRET may open it.
        yield* Effect.logError("a request in the spool can't be opened, and is set aside")
        yield* setAside(place, entry)
        continue
      }
      if (held.has(request.sourceId)) {
        rest.add(request.sourceId)
        continue
      }
      const result = yield* Effect.exit(replayOne(request))
      if (Exit.isSuccess(result)) {
        done.add(place)
        yield* Metric.update(Metric.withAttributes(replayed, { outcome: result.value }), 1)
        continue
      }
      if (Cause.hasInterruptsOnly(result.cause)) return "away"
      if (!(yield* answers)) return "away"
      held.add(request.sourceId)
      rest.add(request.sourceId)
      if (!isCausedByRequest(result.cause)) continue
      const tries = (failures.get(place) ?? 0) + 1
      failures.set(place, tries)
      if (tries < triesMax) continue
      yield* Effect.logError("a request in the spool is set aside", result.cause)
      yield* setAside(place, entry)
    }
    return done.size === entries.length ? "done" : "held"
  })

  const replay = Effect.gen(function* () {
    yield* Effect.promise(() => files.adopt())
    yield* noteSize
    if (isAway) {
      // The file being written goes on meanwhile.
      if (!(yield* answers)) return
      isAway = false
    }
    const held = new Set<string>()
    for (const path of yield* Effect.promise(() => files.closed())) {
      const result = yield* replayFile(path, held)
      if (result === "away") return
      if (result === "held") continue
      progress.delete(path)
      yield* Effect.promise(() => files.delete(path))
      yield* noteSize
    }
  })

  yield* noteSize
  yield* replay.pipe(
    Effect.catchCause((cause) => Effect.logError("inbound spool not replayed", cause)),
    Effect.repeat(Schedule.spaced(replayEvery)),
    Effect.provideService(Background, true),
    Effect.forkScoped,
  )
  yield* Effect.promise(() => files.beat().catch(() => undefined)).pipe(
    Effect.repeat(Schedule.spaced(beatMs)),
    Effect.forkScoped,
  )
  yield* Effect.addFinalizer(() => Effect.promise(() => files.close().catch(() => undefined)))

  return {
    /** Safe on the disk, or false if there is no room. */
    keep: Effect.fnUntraced(function* (request: SpooledRequest) {
      const entry = entryOf(request)
      const kept = yield* Effect.promise(() =>
        files
          .append(entry)
          // Another process took this one for dead: the next file is in a new folder.
          .catch((error: unknown) => (isMoved(error) ? files.append(entry) : Promise.reject(error)))
          .then(
            () => true,
            (error: unknown) => error,
          ),
      )
      if (kept === true) {
        yield* Effect.andThen(Metric.update(spooled, 1), noteSize)
        return true
      }
      yield* Metric.update(refused, 1)
      yield* Effect.logError("a request could not be spooled", { error: String(kept) })
      return false
    }),
    /** Whether Postgres did not answer a moment ago, so that asking again would only cost time. */
    isAway: () => isAway,
    noteAway: () => {
      isAway = true
    },
  }
})

export class Spool extends Context.Service<Spool, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/Spool",
) {
  static readonly layer = Layer.effect(Spool, make)
}

const waitingRequests = Metric.gauge("footfall_inbound_spool_requests", {
  description: "Requests of inbound sources that wait on this process's disk for Postgres",
})
const waitingBytes = Metric.gauge("footfall_inbound_spool_bytes", {
  description: "Their size on the disk",
})
const spooled = Metric.counter("footfall_inbound_spooled", {
  description: "Requests of inbound sources kept on disk because Postgres did not answer",
  incremental: true,
})
const refused = Metric.counter("footfall_inbound_spool_refused", {
  description: "Requests answered with 503, because the spool or the disk was full",
  incremental: true,
})
const replayed = Metric.counter("footfall_inbound_replayed", {
  description: "Requests of the spool that were replayed, by outcome",
  incremental: true,
})
const brokenRequests = Metric.counter("footfall_inbound_spool_broken", {
  description: "Requests of the spool that can't be opened, or were set aside",
  incremental: true,
})

/**
 * True for data that Postgres rejects, or a bug of ours. A lost connection, a full disk, a timeout or a standby passes,
 * and the request waits for it.
 */
const isCausedByRequest = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (!isDatabaseError(error)) return true
  const { _tag } = error.reason
  if (_tag === "UnknownError") return !isOutOfOrder(error)
  return _tag === "UniqueViolation" || _tag === "ConstraintError"
}

const isMoved = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

const lengthBytes = 4

/** The length of the header, the header as JSON, and the body as it arrived. */
const entryOf = ({ body, ...header }: SpooledRequest): Buffer => {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, body])
}

const requestOf = (entry: Buffer): SpooledRequest | undefined => {
  if (entry.length < lengthBytes) return undefined
  const end = lengthBytes + entry.readUInt32BE(0)
  if (end > entry.length) return undefined
  const header = JSON.parse(entry.subarray(lengthBytes, end).toString("utf8")) as Omit<
    SpooledRequest,
    "body"
  >
  return { ...header, body: entry.subarray(end) }
}
