// Validates a whole configuration: its consistency, and whether its topics exist (spec 2.8).
import { Context, Effect, Layer, Schema } from "effect"
import { Catalog } from "../topics/catalog/catalog.ts"
import { TopicsUnknown } from "../topics/lists/topic-lists.ts"
import { configIssues, type GivenConfig, normalizeConfig } from "./config.ts"

/** The configuration's limits contradict each other. */
export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", {
  issues: Schema.Array(
    Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
  ),
}) {}

const make = Effect.map(Catalog, ({ byId }) => ({
  /** Returns the normal form. `path`: JSON pointer to the configuration in the request. */
  check: Effect.fnUntraced(function* (given: GivenConfig, path: string) {
    const config = normalizeConfig(given)
    const issues = configIssues(config, path)
    if (issues.length > 0) return yield* new ConfigInvalid({ issues })
    const topics = yield* byId
    const unknown = config.topicIds.filter((topicId) => !topics.has(topicId))
    if (unknown.length > 0) return yield* new TopicsUnknown({ topicIds: unknown })
    return config
  }),
}))

export class Configs extends Context.Service<Configs, Effect.Success<typeof make>>()(
  "@footfall/server/audiences/Configs",
) {
  static readonly layer = Layer.effect(Configs, make)
}
