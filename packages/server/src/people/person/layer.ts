// The layers of this room. A later room applies imports to visitors (VisitorEnrichment).
import { Layer } from "effect"
import { ErasedPeople } from "./erased-people.ts"
import { LinkTokensHandlers } from "./link-tokens/handlers.ts"
import { Links } from "./links/links.ts"
import { LinksStore } from "./links/store.ts"
import { People } from "./people.ts"
import { PeopleStore } from "./store.ts"
import { TombstoneStore } from "./tombstones/store.ts"
import { Tombstones } from "./tombstones/tombstones.ts"

export const PeopleStores = Layer.mergeAll(
  LinksStore.layer,
  PeopleStore.layer,
  TombstoneStore.layer,
)

export const PeopleServices = Layer.mergeAll(Links.layer, People.layer).pipe(
  Layer.provideMerge(ErasedPeople.layer),
  Layer.provideMerge(Tombstones.layer),
)

export const PeopleHandlers = LinkTokensHandlers
