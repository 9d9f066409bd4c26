// Wires the identification room together. Later rooms know what an erasure deletes there (LaterErasure).
import { Layer } from "effect"
import { CycleStore } from "../suppression/cycle/store.ts"
import { EventArchive, EventArchiveWorker } from "./archive/event-archive.ts"
import { EventArchiveStore } from "./archive/store.ts"
import { ChangesStore } from "./changes/store.ts"
import { CompanyUpkeepStore } from "./companies/store.ts"
import { CreditStore } from "./credits/store.ts"
import { ReleaseWorker } from "./credits/worker.ts"
import { Erasure } from "./erasure/erasure.ts"
import { ErasureStore } from "./erasure/store.ts"
import { Identification } from "./identification.ts"
import { KnownRows } from "./known.ts"
import { LinkedEvents } from "./links/linked-events.ts"
import { BrowserLinkStore } from "./links/store.ts"
import { Acquaintances } from "./merging/acquaintances.ts"
import { Merging } from "./merging/merging.ts"
import { SpellingWorker } from "./merging/spelling-worker.ts"
import { MergingStore } from "./merging/store.ts"
import { Origins } from "./origins/origins.ts"
import { OwnershipStore } from "./ownership/store.ts"
import { Resolution } from "./resolving/resolution.ts"
import { ResolvedEvents } from "./resolving/resolved-events.ts"
import { ResolvedStore } from "./resolving/store.ts"
import { Retention, RetentionWorker } from "./retention/retention.ts"
import { RetentionStore } from "./retention/store.ts"
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
  ErasureStore.layer,
  EventArchiveStore.layer,
  IdentificationStore.layer,
  MergingStore.layer,
  OwnershipStore.layer,
  ResolvedStore.layer,
  RetentionStore.layer,
  UserIdStore.layer,
)

export const IdentificationServices = Layer.mergeAll(
  Erasure.layer,
  Identification.layer,
  Origins.layer,
  Retention.layer,
).pipe(
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
  Layer.provideMerge(Acquaintances.layer),
)

/** The background workers of this room. */
export const IdentificationWorkers = Layer.mergeAll(
  EventArchiveWorker,
  IdentificationWorker,
  ReleaseWorker,
  RetentionWorker,
  SpellingWorker,
)
