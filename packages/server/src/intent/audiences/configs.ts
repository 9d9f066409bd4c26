// Validates a whole configuration: its consistency, and whether its topics and its segment exist (spec 2.8).
import { Context, Effect, Layer, Schema } from "effect"
import { SegmentStore } from "../../people/visitors/segments/store.ts"
import { Catalog } from "../topics/catalog/catalog.ts"
import { TopicsUnknown } from "../topics/lists/topic-lists.ts"
import { type AudienceConfig, configIssues, type GivenConfig, normalizeConfig } from "./config.ts"

/** The configuration contradicts itself, or names a segment that is unknown or one of companies. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  issues: Schema.Array(
    Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
  ),
}) {}

const make = Effect.gen(function* () {
  const { byId } = yield* Catalog
  const segments = yield* SegmentStore

  /**
   * Returns the normal form. `path`: JSON pointer to the configuration in the request. Call it outside transactions: the
   * catalog may need a connection of its own.
   */
  const check = Effect.fnUntraced(function* (
    organizationId: string,
    given: GivenConfig,
    path: string,
  ) {
    const config = normalizeConfig(given)
    const { segmentId, topicIds } = config
    const issues = configIssues(config, path)
    if (issues.length > 0) return yield* new ConfigInvalid({ issues })
    const topics = yield* byId
    const unknown = topicIds.filter((topicId) => !topics.has(topicId))
    if (unknown.length > 0) return yield* new TopicsUnknown({ topicIds: unknown })
    if (segmentId === undefined) return config
    const segment = yield* segments.find({ organizationId, id: segmentId })
    if (segment === undefined) return yield* unknownSegment(segmentId, path)
    return segment.subject === "people" ? config : yield* segmentOfCompanies(path)
  })

  /** Keeps the checked segment from being deleted until the caller's transaction ends. Errors: ConfigInvalid if it is gone. */
  const keepSegment = Effect.fnUntraced(function* (
    organizationId: string,
    { segmentId }: AudienceConfig,
    path: string,
  ) {
    if (segmentId === undefined) return
    const segment = yield* segments.findKept({ organizationId, id: segmentId })
    if (segment === undefined) return yield* unknownSegment(segmentId, path)
  })

  return { check, keepSegment }
})

export class Configs extends Context.Service<Configs, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Configs",
) {
  static readonly layer = Layer.effect(Configs, make)
}

const segmentOfCompanies = (path: string) =>
  new ConfigInvalid({
    issues: [
      {
        path: `${path}/segmentId`,
        code: "invalid_value",
        message: "Expected a segment of people, received one of companies.",
      },
    ],
  })

export const unknownSegment = (segmentId: string, path: string) =>
  new ConfigInvalid({
    issues: [
      {
        path: `${path}/segmentId`,
        code: "unknown_segment",
        message: `Expected the id of a segment, received ${segmentId}.`,
      },
    ],
  })
