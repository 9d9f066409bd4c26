// Imports people, from a stream or from a list. A record is merged field by field into the stored person, and
// visitors with one of its addresses are updated in the same transaction. Importing a person creates no visitor.
// Source: spec 2.19.
import { Context, Effect, Layer } from "effect"
import { ErasedPeople } from "./erased-people.ts"
import { DataVersions } from "../imports/data-versions.ts"
import type { ImportOrigin } from "../imports/import-kind.ts"
import {
  type ExpectedRows,
  type ImportRow,
  mergedImport,
  type MergedKind,
} from "../imports/merged-import.ts"
import { Rejection } from "../imports/rejection.ts"
import type { PersonRecord } from "./person.ts"
import { copyLines } from "../imports/copy-text.ts"
import {
  combinedPersonRow,
  knownHashes,
  newPersonColumns,
  newPersonLine,
  personAddressColumns,
  personAddresses,
  personAddressLine,
  personColumns,
  personLine,
  personReader,
  personRow,
  submittedPlaces,
} from "./person-row.ts"
import { PeopleStore } from "./store.ts"
import { VisitorEnrichment } from "./visitor-enrichment.ts"

const make = Effect.gen(function* () {
  const store = yield* PeopleStore
  const erased = yield* ErasedPeople
  const enrichment = yield* VisitorEnrichment
  const versions = yield* DataVersions

  const admit = Effect.fnUntraced(function* (
    { organizationId }: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
  ) {
    yield* store.takeTurn({ organizationId })
    return yield* erased.withoutErased(organizationId, rows, knownHashes)
  })

  /** Merges the rows in the staging tables. */
  const merge = Effect.fnUntraced(function* (origin: ImportOrigin) {
    const { touched, ...changed } = yield* store.merge(origin)
    return { changed, touched }
  })

  /** A merge also accepts new people, so it does no harm to take one for known. */
  const knownAmong = Effect.fnUntraced(function* (
    origin: ImportOrigin,
    rows: ReadonlyArray<ImportRow>,
    expected: ExpectedRows | undefined,
  ) {
    const keys = rows.map(({ key }) => key)
    if (expected === "stored") return { keys: new Set(keys), touched: [] }
    if (expected === undefined) return yield* store.known(origin, keys)
    return { keys: new Set<string>(), touched: yield* store.addressesOfVisitors(origin, keys) }
  })

  // New people are copied straight into `person`, which takes a third of the time of a merge. To look for them first
  // takes almost as long as to copy them.
  const write: MergedKind["write"] = Effect.fnUntraced(function* (origin, rows, copy, expected) {
    const known = yield* knownAmong(origin, rows, expected)
    const [fresh, others] = partition(rows, ({ key }) => !known.keys.has(key))
    if (fresh.length > 0) {
      const places = submittedPlaces(fresh)
      yield* copy(
        { table: "person", columns: newPersonColumns(places) },
        copyLines(fresh.toSorted(byKey), (row) => newPersonLine(row, origin, places)),
      )
    }
    const addresses = rows.flatMap((row, position) =>
      known.keys.has(row.key) ? [] : personAddresses(row, position),
    )
    const isStaged = others.length > 0 || addresses.length > 0
    // Needed in each transaction: a pooler may use another Postgres session for the next one.
    if (isStaged) yield* store.prepare
    if (addresses.length > 0) {
      yield* copy(
        { table: "import_person_address", columns: personAddressColumns },
        copyLines(addresses, personAddressLine),
      )
    }
    if (others.length > 0) {
      const places = submittedPlaces(others)
      const stagedAt = new Map(rows.map((row, position) => [row, position]))
      yield* copy(
        { table: "import_person", columns: personColumns(places) },
        copyLines(others, (row) => personLine(row, stagedAt.get(row)!, places)),
      )
    }
    const { changed, touched } = others.length === 0 ? nothing : yield* merge(origin)
    const assigned = isStaged ? yield* store.assignAddresses(origin) : []
    const seen = known.touched.filter(({ emailHash }) => !known.keys.has(emailHash))
    yield* enrichment.enrich([...seen, ...touched, ...assigned])
    return { inserted: fresh.length + changed.inserted, updated: changed.updated }
  })

  return {
    kind: mergedImport({
      name: "people",
      data: "people",
      sharing: "onRequest",
      neededColumns: [["email", "emailHash"]],
      reader: personReader,
      row: personRow,
      combine: combinedPersonRow,
      admit,
      write,
    }),

    /**
     * Merges people that are known to be valid, in one transaction or as part of the caller's. If two records are
     * about the same person, the later one takes precedence.
     */
    put: Effect.fnUntraced(function* (organizationId: string, people: ReadonlyArray<PersonRecord>) {
      const origin = { organizationId, importId: null }
      yield* store.prepare
      yield* store.stage(yield* admit(origin, rowsOf(people)))
      const { touched } = yield* merge(origin)
      yield* enrichment.enrich([...touched, ...(yield* store.assignAddresses(origin))])
      yield* versions.raise("people", organizationId)
    }, store.transaction),
  }
})

export class People extends Context.Service<People, Effect.Success<typeof make>>()(
  "@footfall/server/people/People",
) {
  static readonly layer = Layer.effect(People, make)
}

const nothing = { changed: { inserted: 0, updated: 0 }, touched: [] }

/** Sorts by key, in the order of the index that looks them up. */
const byKey = (one: ImportRow, other: ImportRow): number => (one.key < other.key ? -1 : 1)

const partition = <Row>(rows: ReadonlyArray<Row>, isFirst: (row: Row) => boolean) => {
  const parts: readonly [Array<Row>, Array<Row>] = [[], []]
  for (const row of rows) parts[isFirst(row) ? 0 : 1].push(row)
  return parts
}

const rowsOf = (people: ReadonlyArray<PersonRecord>): ReadonlyArray<ImportRow> => {
  const rows = new Map<string, ImportRow>()
  for (const person of people) {
    const submitted = personReader.object(person)
    const row = submitted instanceof Rejection ? submitted : personRow(submitted)
    if (row instanceof Rejection) throw new TypeError(`${row.reason} ${row.field}`)
    const earlier = rows.get(row.key)
    rows.delete(row.key)
    rows.set(row.key, earlier === undefined ? row : combinedPersonRow(earlier, row))
  }
  return [...rows.values()]
}
