// The layers of this room. Later rooms define what can be imported.
import { Layer } from "effect"
import { DataVersions } from "./data-versions.ts"
import { ImportsHandlers } from "./handlers.ts"
import { Imports } from "./imports.ts"
import { ImportsStore } from "./store.ts"

export const ImportStores = ImportsStore.layer

export const ImportServices = Layer.provideMerge(Imports.layer, DataVersions.layer)

export const ImportHandlers = ImportsHandlers
