// The kinds of import, from the rooms that own the records.
import { Effect, Layer } from "effect"
import { ImportKinds } from "../../imports/import-kind.ts"
import { Links } from "../../people/links/links.ts"
import { People } from "../../people/people.ts"
import { SignalImports } from "../signals/import/signal-imports.ts"
import { TopicImports } from "./topic-imports.ts"

export const Kinds = Layer.effect(
  ImportKinds,
  Effect.gen(function* () {
    return ImportKinds.of({
      topics: (yield* TopicImports).kind,
      signals: (yield* SignalImports).kind,
      people: (yield* People).kind,
      "identity-links": (yield* Links).kind,
    })
  }),
).pipe(Layer.provide(Layer.merge(SignalImports.layer, TopicImports.layer)))
