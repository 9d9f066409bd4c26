// Imported identity links. An address link merges two addresses into one person immediately. A browser link
// identifies the browser from its next event on. An external id link merges everyone identified with the id, now or
// later, into the person it names. Source: spec 2.1, 2.19, 6.7.
import { Context, Effect, Layer } from "effect"
import { normalizeEmailHash } from "../../../collect/visits/email-address.ts"
import { isPlaceholder } from "../../../collect/visits/placeholder.ts"
import { ErasedPeople } from "../erased-people.ts"
import { copyLines, copyText } from "../../imports/copy-text.ts"
import { text } from "../../imports/field.ts"
import type { ImportOrigin } from "../../imports/import-kind.ts"
import { type ImportRow, mergedImport, type MergedKind } from "../../imports/merged-import.ts"
import { type FieldValues, overlaid, RecordReader } from "../../imports/record-reader.ts"
import { Rejection } from "../../imports/rejection.ts"
import { PeopleStore } from "../store.ts"
import { VisitorEnrichment } from "../visitor-enrichment.ts"
import { canonical } from "../vocabulary.ts"
import { LinksStore } from "./store.ts"

// An identity link as a row of the staging table. It maps an alias address (by hash), a browser id or an external
// id to the person with the hash. All three fields are required. Source: spec 2.19.

/** Units: code points. */ // spec 2.19
const linkValueLengthMax = 255

const kinds = ["email", "anonymous_id", "external_id"] as const
type LinkKind = (typeof kinds)[number]

const fields = [
  text({ path: "kind", column: "kind" }, linkValueLengthMax, canonical(kinds)),
  text({ path: "value", column: "value" }, linkValueLengthMax),
  text({ path: "emailHash", column: "email_hash" }, linkValueLengthMax, normalizeEmailHash),
]

const linkReader = new RecordReader(fields)

const linkColumns = fields.map(({ column }) => column)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The normal form of a value by kind; undefined if invalid. */
const normalizeValue: Readonly<Record<LinkKind, (value: string) => string | undefined>> = {
  email: normalizeEmailHash,
  anonymous_id: (value) =>
    uuid.test(value.toLowerCase()) && !isPlaceholder(value) ? value.toLowerCase() : undefined,
  external_id: (value) => (isPlaceholder(value) ? undefined : value),
}

const linkRow = (submitted: FieldValues): ImportRow | Rejection => {
  const { values } = submitted
  const missing = fields.findIndex((_, place) => values[place] === undefined)
  if (missing !== -1) return new Rejection("missing_field", fields[missing]!.path)
  // Their readers return texts; the first is one of the kinds.
  const [kind, given] = values as [LinkKind, string]
  const value = normalizeValue[kind](given)
  if (value === undefined) return new Rejection("invalid_value", "value")
  values[1] = value
  return { key: `${kind} ${value}`, submitted }
}

const linkLine = ({ submitted }: ImportRow): string => submitted.values.map(copyText).join("\t")

/** The addresses the link is about. */
const linkHashes = ({ submitted }: ImportRow): ReadonlyArray<string> => {
  // The row was read, so its kind, value and hash are texts.
  const [kind, value, emailHash] = submitted.values as [LinkKind, string, string]
  return kind === "email" ? [value, emailHash] : [emailHash]
}

const make = Effect.gen(function* () {
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
    // Needed in each transaction: a pooler may use another Postgres session for the next one.
    yield* store.prepare
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

  return {
    kind: mergedImport({
      name: "identity-links",
      data: "people",
      sharing: "onRequest",
      neededColumns: [["kind"], ["value"], ["emailHash"]],
      reader: linkReader,
      row: linkRow,
      combine: (earlier, later) => ({
        key: later.key,
        submitted: overlaid(earlier.submitted, later.submitted),
      }),
      admit,
      write,
    }),
  }
})

export class Links extends Context.Service<Links, Effect.Success<typeof make>>()(
  "@footfall/server/people/Links",
) {
  static readonly layer = Layer.effect(Links, make)
}
