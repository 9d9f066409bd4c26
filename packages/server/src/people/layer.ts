// The layers of this room. A later room applies imports to visitors (VisitorEnrichment).
import { Layer } from "effect"
import { ErasedPeople } from "./erased-people.ts"
import { ImportsHandlers } from "./handlers.ts"
import { DataVersions } from "./import/data-versions.ts"
import { Imports } from "./import/imports.ts"
import { DataVersionStore } from "./import/store.ts"
import { LinkTokensHandlers } from "./link-tokens/handlers.ts"
import { Links } from "./links/links.ts"
import { LinksStore } from "./links/store.ts"
import { People } from "./people.ts"
import { PeopleStore } from "./store.ts"
import { TombstoneStore } from "./tombstones/store.ts"
import { Tombstones } from "./tombstones/tombstones.ts"

export const PeopleStores = Layer.mergeAll(
  DataVersionStore.layer,
  LinksStore.layer,
  PeopleStore.layer,
  TombstoneStore.layer,
)

export const PeopleServices = Layer.mergeAll(Imports.layer, Links.layer, People.layer).pipe(
  Layer.provideMerge(ErasedPeople.layer),
  Layer.provideMerge(Layer.merge(DataVersions.layer, Tombstones.layer)),
)

export const PeopleHandlers = Layer.mergeAll(ImportsHandlers, LinkTokensHandlers)
