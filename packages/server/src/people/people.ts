// Imported people: one way in, for a stream and for a list in hand. A person is merged field by field
// into what is known of the address; visitors who have it are brought up to date in the same
// transaction. Importing a person creates no visitor. Source: decisions.md 2.19.
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../database/database-error.ts"
import { ErasedPeople } from "./erased-people.ts"
import type { ImportKind, ImportOrigin, ImportRow } from "./import/import-kind.ts"
import { Rejection } from "./import/rejection.ts"
import type { PersonRecord } from "./person.ts"
import {
  combinedPersonRow,
  personColumns,
  personHashes,
  personLine,
  personReader,
  personRow,
} from "./person-row.ts"
import { PeopleStore } from "./store.ts"
import { VisitorEnrichment } from "./visitor-enrichment.ts"

export class People extends Context.Service<
  People,
  {
    readonly kind: ImportKind
    /**
     * Merges people that are known to be good, in one transaction or as part of the caller's. Of two
     * records of one person the later one is said after the other.
     */
    put(
      organizationId: string,
      people: ReadonlyArray<PersonRecord>,
    ): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/people/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function* () {
      const store = yield* PeopleStore
      const erased = yield* ErasedPeople
      const enrichment = yield* VisitorEnrichment

      const admit = Effect.fnUntraced(function* (
        { organizationId }: ImportOrigin,
        rows: ReadonlyArray<ImportRow>,
      ) {
        yield* store.takeTurn
        return yield* erased.withoutErased(organizationId, rows, personHashes)
      })

      const merge = Effect.fnUntraced(function* (origin: ImportOrigin) {
        const { touched, ...changed } = yield* store.merge(origin)
        yield* enrichment.enrich([...touched, ...(yield* store.lead(origin))])
        return changed
      })

      return People.of({
        kind: {
          name: "people",
          neededColumns: [["email", "emailHash"]],
          reader: personReader,
          row: personRow,
          combine: combinedPersonRow,
          staging: { table: "import_person", columns: personColumns },
          line: personLine,
          prepare: store.prepare,
          admit,
          merge,
        },
        put: Effect.fnUntraced(function* (
          organizationId: string,
          people: ReadonlyArray<PersonRecord>,
        ) {
          const origin = { organizationId, importId: null }
          yield* store.prepare
          yield* store.stage(yield* admit(origin, rowsOf(people)))
          yield* merge(origin)
        }, store.transaction),
      })
    }),
  )
}

const rowsOf = (people: ReadonlyArray<PersonRecord>): ReadonlyArray<ImportRow> => {
  const rows = new Map<string, ImportRow>()
  for (const person of people) {
    const said = personReader.object(person)
    const row = said instanceof Rejection ? said : personRow(said)
    if (row instanceof Rejection) throw new TypeError(`${row.reason} ${row.field}`)
    const earlier = rows.get(row.key)
    rows.delete(row.key)
    rows.set(row.key, earlier === undefined ? row : combinedPersonRow(earlier, row))
  }
  return [...rows.values()]
}
