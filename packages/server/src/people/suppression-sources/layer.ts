// Wires the suppression sources room together. app/ provides the kinds.
import { Layer } from "effect"
import { Mirror } from "./mirror.ts"
import { MirrorStore } from "./mirror-store.ts"
import { Sources } from "./sources.ts"
import { SourceStore } from "./store.ts"

/** The stores of this room. */
export const SourceStores = Layer.merge(SourceStore.layer, MirrorStore.layer)

export const SourceServices = Sources.layer.pipe(Layer.provideMerge(Mirror.layer))
