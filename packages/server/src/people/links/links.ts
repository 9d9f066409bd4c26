// Imported identity links. A link of an address joins two addresses into one person, at once; a link of
// a browser identifies it from its next event on; a link of an own id joins whoever was identified with
// it, now or later, and the person it names. Source: spec 2.1, 2.19, 6.7.
import { Context, Effect, Layer } from "effect"
import { copyLines } from "../import/copy-lines.ts"
import type { ImportKind, ImportOrigin } from "../import/import-kind.ts"
import { type ImportRow, mergedImport, type MergedKind } from "../import/merged-import.ts"
import { ErasedPeople } from "../erased-people.ts"
import { overlaid } from "../import/record-reader.ts"
import { PeopleStore } from "../store.ts"
import { VisitorEnrichment } from "../visitor-enrichment.ts"
import { linkColumns, linkHashes, linkLine, linkReader, linkRow } from "./link-row.ts"
import { LinksStore } from "./store.ts"

export class Links extends Context.Service<Links, { readonly kind: ImportKind }>()(
  "@footfall/server/people/Links",
) {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const erased = yield* ErasedPeople
      const store = yield* LinksStore
      const enrichment = yield* VisitorEnrichment

      const admit = Effect.fnUntraced(function* (
        { organizationId }: ImportOrigin,
        rows: ReadonlyArray<ImportRow>,
      ) {
        yield* people.takeTurn({ organizationId })
        return yield* erased.withoutErased(organizationId, rows, linkHashes)
      })

      const write: MergedKind["write"] = Effect.fnUntraced(function* (origin, rows, copy) {
        yield* copy({ table: "import_link", columns: linkColumns }, copyLines(rows, linkLine))
        const addresses = yield* store.mergeAddresses(origin)
        const others = yield* store.mergeOthers(origin)
        const touched = yield* store.touched(origin)
        const joined = yield* store.joinExternalIds(origin)
        yield* enrichment.enrich([...touched, ...joined])
        return {
          inserted: addresses.inserted + others.inserted,
          updated: addresses.updated + others.updated,
        }
      })

      return Links.of({
        kind: mergedImport({
          name: "identity-links",
          data: "people",
          sharing: "asked",
          neededColumns: [["kind"], ["value"], ["emailHash"]],
          reader: linkReader,
          row: linkRow,
          combine: (earlier, later) => ({
            key: later.key,
            said: overlaid(earlier.said, later.said),
          }),
          prepare: store.prepare,
          admit,
          write,
        }),
      })
    }),
  )
}
