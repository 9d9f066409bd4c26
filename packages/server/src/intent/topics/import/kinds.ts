// The kinds of import, from the rooms that own the records.
import { Effect, Layer } from "effect"
import { ImportKinds } from "../../../people/imports/import-kind.ts"
import { Links } from "../../../people/person/links/links.ts"
import { People } from "../../../people/person/people.ts"
import { SignalImports } from "../../signals/import/signal-imports.ts"
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
