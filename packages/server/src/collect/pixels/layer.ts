// Wires the pixels room together. A later room implements KnownTopics.
import { Layer } from "effect"
import { ForeignEvents } from "./foreign-events.ts"
import { ImmutableScripts } from "./immutable-scripts.ts"
import { ImmutableScriptStore } from "./immutable-store.ts"
import { PixelChanges } from "./pixel-changes.ts"
import { Pixels } from "./pixels.ts"
import { PixelScript } from "./script.ts"
import { PixelStore } from "./store.ts"
import { SharedUserIdStore } from "./shared-user-ids/store.ts"
import { Verification } from "./verification/verification.ts"
import { WriteKeyStore } from "./write-keys/store.ts"
import { WriteKeys } from "./write-keys/write-keys.ts"

/** The stores of this room. */
export const PixelStores = Layer.mergeAll(
  ImmutableScriptStore.layer,
  PixelStore.layer,
  SharedUserIdStore.layer,
  WriteKeyStore.layer,
)

/** `scripts`: the folder with the built scripts. */
export const PixelServices = (scripts: string) =>
  Layer.mergeAll(PixelChanges.layer, Verification.layer, WriteKeys.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(ForeignEvents.layer, ImmutableScripts.layer, Pixels.layer)),
    Layer.provideMerge(PixelScript.layer(scripts)),
  )
