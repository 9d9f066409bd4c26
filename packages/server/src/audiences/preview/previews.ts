// Previews: how many people an audience would have, and a masked sample (spec 2.10, 5.8). A result is cached as long as
// its key is valid, and reused while nothing it depends on has changed.
import { Clock, Context, Effect, Layer } from "effect"
import { sharedOrganizationId } from "../../access/organization.ts"
import { Secrets } from "../../secrets/secrets.ts"
import { DataVersions } from "../../people/import/data-versions.ts"
import { Signals } from "../../topics/signals/signals.ts"
import { type AudienceConfig, configHash } from "../config.ts"
import { Countings } from "../counting.ts"
import { topicsInOrder } from "../matching/compile.ts"
import { AudienceStore } from "../store.ts"
import { maskedPerson, type Preview, previewKey, sampleMax } from "./preview.ts"

/** spec 2.10. */
const validMs = 15 * 60_000
/** Results cached per process; the oldest goes first. */
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
  const kept = new Map<string, Kept>()

  const keep = (key: string, answer: Kept): void => {
    kept.delete(key)
    kept.set(key, answer)
    // A Map keeps insertion order.
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!)
  }

  /** The configuration must be validated. */
  const of = Effect.fn("Previews.of")(function* (organizationId: string, config: AudienceConfig) {
    const { date, hasSignals } = yield* signals.dataDate(organizationId)
    const hash = configHash(config)
    const key = previewKey(secrets.sign("preview", `${organizationId} ${hash} ${date}`))
    const standing = yield* store.standing(organizationId)
    const people = yield* versions.ofPeople(organizationId, sharedOrganizationId)
    const version = `${yield* versions.of("signals")} ${people} ${standing.version}`
    const now = yield* Clock.currentTimeMillis
    const known = kept.get(key)
    if (known !== undefined && known.version === version && known.until > now) {
      return known.preview
    }
    const { sample, total } = hasSignals
      ? yield* countings.count({ organizationId, config, dataDate: date, standing }, sampleMax)
      : { total: 0, sample: [] }
    const topicIds = topicsInOrder(config)
    const preview = {
      totalCount: total,
      sample: sample.map((row) => maskedPerson(row, topicIds)),
      previewKey: key,
      dataDate: date,
      configHash: hash,
    }
    keep(key, { preview, version, until: now + validMs })
    return preview
  })

  return { of }
})

export class Previews extends Context.Service<Previews, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Previews",
) {
  static readonly layer = Layer.effect(Previews, make)
}
