// Ends the export files that an erased person is in (spec 5.1): their links find
// nothing from the commit on, and the files are swept from the disks within seconds. A file that is being made
// is made again, without the person. Comes before the part that takes the results themselves.
import { Effect } from "effect"
import type { ErasurePart } from "../../identification/erasure/later-erasure.ts"
import { ExportStore } from "./store.ts"

export const erasedExports = Effect.map(
  ExportStore,
  (store): ErasurePart =>
    ({ addresses, organizationId }) =>
      store.endOfPerson(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
