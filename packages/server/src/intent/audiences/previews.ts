// Previews: how many people an audience would have, and a masked sample (spec 2.10, 5.8). A result by topics alone is
// cached as long as its key is valid, and reused while nothing it depends on has changed.
import { Clock, Context, Effect, Layer } from "effect"
import { sharedOrganizationId } from "../../access/organization.ts"
import { OnReplica } from "../../platform/database/on-replica.ts"
import { Replica } from "../../platform/database/replica.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import { DataVersions } from "../../people/imports/data-versions.ts"
import { SegmentStore } from "../../people/visitors/segments/store.ts"
import { Signals } from "../signals/signals.ts"
import { type AudienceConfig, basisOf, configHash, hasTopics } from "./config.ts"
import { type Counting, Countings } from "./counting.ts"
import { topicsInOrder } from "./matching/compile.ts"
import { segmentOf } from "./matching/segment.ts"
import { AudienceStore } from "./store.ts"
import { maskedPerson, type Preview, previewKey, sampleMax } from "./preview.ts"

/** spec 2.10. */
const validMs = 15 * 60_000
/** Results cached per process; the oldest is dropped first. */
const keptMax = 1_000

interface Kept {
  readonly preview: Preview
  /** Version of everything the result depends on. */
  readonly version: string
  readonly until: number
}

const make = Effect.gen(function* () {
  const countings = yield* Countings
  const store = yield* AudienceStore
  const signals = yield* Signals
  const versions = yield* DataVersions
  const secrets = yield* Secrets
  const replica = yield* Replica
  const segments = yield* SegmentStore
  const kept = new Map<string, Kept>()

  const keep = (key: string, answer: Kept): void => {
    kept.delete(key)
    kept.set(key, answer)
    // A Map keeps insertion order.
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
  }

  /** What a preview by topics depends on. Reads the version first, so that it is never newer than the rest. */
  const standingOf = Effect.fnUntraced(function* (organizationId: string, config: AudienceConfig) {
    const standing = yield* store.standing(organizationId)
    const people = yield* versions.currentPeople(organizationId, sharedOrganizationId)
    const version = `${yield* versions.current("signals")} ${people} ${standing.version}`
    return { standing, version, ...basisOf(config, yield* signals.dataDate(organizationId)) }
  })

  /** Null if it takes longer than a request may. The count stands. */
  const explained = (counting: Counting) =>
    Effect.catchTag(countings.explain(counting), "StatementTimedOut", () => Effect.succeed(null))

  /** The configuration's topics and limits must already be checked. */
  const of = Effect.fn("Previews.of")(function* (
    organizationId: string,
    config: AudienceConfig,
    explains: boolean,
  ) {
    const hash = configHash(config)
    const keyOf = (date: string) =>
      previewKey(secrets.sign("preview", `${organizationId} ${hash} ${date}`))
    const current = yield* standingOf(organizationId, config)
    const now = yield* Clock.currentTimeMillis
    // People enter and leave a segment at any moment.
    const isReused = config.segmentId === undefined && !explains
    const known = isReused ? kept.get(keyOf(current.date)) : undefined
    if (known !== undefined && known.version === current.version && known.until > now) {
      return known.preview
    }
    if (hasTopics(config) && current.hasSignals) yield* countings.settle(organizationId)
    const segment = yield* segmentOf(segments, { organizationId, config })

    const make = Effect.gen(function* () {
      const { date, hasSignals, standing, version } = (yield* OnReplica)
        ? yield* standingOf(organizationId, config)
        : current
      const counting = { organizationId, config, dataDate: date, segment, standing }
      const { sample, total } = hasSignals
        ? yield* countings.count(counting, sampleMax)
        : { total: 0, sample: [] }
      const explanation = explains && hasSignals ? yield* explained(counting) : null
      const topicIds = topicsInOrder(config)
      const preview = {
        totalCount: total,
        sample: sample.map((row) => maskedPerson(row, topicIds)),
        previewKey: keyOf(date),
        dataDate: date,
        configHash: hash,
        explanation: explains && !hasSignals ? { parts: [], scores: [] } : explanation,
        explanationTooSlow: explains && hasSignals && explanation === null,
      }
      if (isReused) keep(preview.previewKey, { preview, version, until: now + validMs })
      return preview
    })
    return yield* replica.read(organizationId, make)
  })

  return { of }
})

export class Previews extends Context.Service<Previews, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Previews",
) {
  static readonly layer = Layer.effect(Previews, make)
}
