// What imports need from this room, for servers and for commands.
import { Layer } from "effect"
import { Tombstones } from "../../person/tombstones/tombstones.ts"
import { PeopleLookup } from "./people-lookup.ts"
import { Merging } from "./merging.ts"

/** Applies imported people and links to visitors. */
export const EnrichmentOfPeople = Merging.enrichment.pipe(
  Layer.provide(Merging.layer),
  Layer.provide(PeopleLookup.layer),
  Layer.provide(Tombstones.layer),
)
