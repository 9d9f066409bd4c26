// Wires identification together, with the archive of its events and the credits that it charges.
import { Layer } from "effect"
import { CycleStore } from "../suppression/cycle/store.ts"
import { EventArchive, EventArchiveWorker } from "../archive/event-archive.ts"
import { EventArchiveStore } from "../archive/store.ts"
import { ChangesStore } from "./changes/store.ts"
import { CompanyUpkeepStore } from "./companies/store.ts"
import { CreditStore } from "../credits/store.ts"
import { ReleaseWorker } from "../credits/worker.ts"
import { Identification } from "./identification.ts"
import { KnownRows } from "./known.ts"
import { LinkedEvents } from "./links/linked-events.ts"
import { BrowserLinkStore } from "./links/store.ts"
import { PeopleLookup } from "./merging/people-lookup.ts"
import { Merging } from "./merging/merging.ts"
import { SpellingWorker } from "./merging/spelling-worker.ts"
import { MergingStore } from "./merging/store.ts"
import { Origins } from "./origins/origins.ts"
import { OwnershipStore } from "./ownership/store.ts"
import { Resolution } from "./resolving/resolution.ts"
import { ResolvedEvents } from "./resolving/resolved-events.ts"
import { ResolvedStore } from "./resolving/store.ts"
import { IdentificationStore } from "./store.ts"
import { UserIdStore } from "./user-ids/store.ts"
import { UserIds } from "./user-ids/user-ids.ts"
import { IdentificationWorker } from "./worker.ts"

/** The stores of this room. */
export const IdentificationStores = Layer.mergeAll(
  BrowserLinkStore.layer,
  Layer.provide(ChangesStore.layer, CycleStore.layer),
  CompanyUpkeepStore.layer,
  CreditStore.layer,
  EventArchiveStore.layer,
  IdentificationStore.layer,
  MergingStore.layer,
  OwnershipStore.layer,
  ResolvedStore.layer,
  UserIdStore.layer,
)

export const IdentificationServices = Layer.merge(Identification.layer, Origins.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      EventArchive.layer,
      KnownRows.layer,
      LinkedEvents.layer,
      Resolution.layer,
      ResolvedEvents.layer,
      UserIds.layer,
    ),
  ),
  Layer.provideMerge(Merging.layer),
  Layer.provideMerge(PeopleLookup.layer),
)

/** The background workers of this room. */
export const IdentificationWorkers = Layer.mergeAll(
  EventArchiveWorker,
  IdentificationWorker,
  ReleaseWorker,
  SpellingWorker,
)
