// Wires the suppression sources room together. app/ provides the kinds.
import { Effect, Layer } from "effect"
import { Mirror } from "./mirror.ts"
import { MirrorStore } from "./mirror-store.ts"
import { SourceKinds } from "./source.ts"
import { Sources } from "./sources.ts"
import { SourceStore } from "./store.ts"
import { makeUrlKind } from "./url-kind.ts"

/** The stores of this room. */
export const SourceStores = Layer.merge(SourceStore.layer, MirrorStore.layer)

/** The kinds of this room. A later room adds its own to them. */
export const OwnKinds = Layer.effect(
  SourceKinds,
  Effect.map(makeUrlKind, (url) => SourceKinds.of({ url })),
)

export const SourceServices = Sources.layer.pipe(Layer.provideMerge(Mirror.layer))
