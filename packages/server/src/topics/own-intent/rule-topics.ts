// Tells the rules of pixels which topics there are: those of the public catalogue (spec 5.2).
import { Effect, Layer } from "effect"
import { KnownTopics } from "../../pixels/known-topics.ts"
import { Catalogue } from "../catalogue/catalogue.ts"

export const RuleTopics = Layer.effect(
  KnownTopics,
  Effect.map(Catalogue, ({ byId }) => ({ ids: byId })),
)
