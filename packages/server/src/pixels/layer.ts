// The room over its stores. Which topics exist a later room knows (KnownTopics).
import { Effect, Layer } from "effect"
import { OrganizationStanding } from "../access/organizations/organizations.ts"
import { ForeignEvents } from "./foreign-events.ts"
import { ImmutableScripts } from "./immutable/immutable-scripts.ts"
import { ImmutableScriptStore } from "./immutable/store.ts"
import { PixelChanges } from "./pixel-changes.ts"
import { Pixels } from "./pixels.ts"
import { PixelScript } from "./script.ts"
import { PixelStore } from "./store.ts"
import { Verification } from "./verification/verification.ts"

/** The rows of the room. */
export const PixelStores = Layer.merge(ImmutableScriptStore.layer, PixelStore.layer)

/** Pixels follow the status of their organization, in one transaction with it. */ // spec 4.6
export const PixelsOfOrganizations = Layer.effect(
  OrganizationStanding,
  Effect.map(PixelStore, ({ pauseAllOf, resumeAllOf }) =>
    OrganizationStanding.of({
      changed: (organizationId, standing) =>
        standing === "usable" ? resumeAllOf(organizationId) : pauseAllOf(organizationId),
    }),
  ),
)

/** `scripts`: the folder of the built scripts. */
export const PixelServices = (scripts: string) =>
  Layer.merge(PixelChanges.layer, Verification.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(ForeignEvents.layer, ImmutableScripts.layer, Pixels.layer)),
    Layer.provideMerge(PixelScript.layer(scripts)),
  )
