// Imports and identification on a separate database: sends records and reads the tables.
import { Effect, Layer, Option, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Audit } from "../../src/access/audit/audit.ts"
import { AuditStore } from "../../src/access/audit/store.ts"
import { Copy } from "../../src/platform/database/copy.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { Database } from "../../src/platform/database/database.ts"
import { Merging } from "../../src/people/identification/merging/merging.ts"
import { ErasedPeople } from "../../src/people/person/erased-people.ts"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import type { ImportKind } from "../../src/people/imports/import-kind.ts"
import { ImportsStore } from "../../src/people/imports/store.ts"
import type { ImportFormat } from "../../src/people/imports/import-format.ts"
import { Imports } from "../../src/people/imports/imports.ts"
import { Links } from "../../src/people/person/links/links.ts"
import { LinksStore } from "../../src/people/person/links/store.ts"
import { People } from "../../src/people/person/people.ts"
import type { PersonRecord } from "../../src/people/person/person.ts"
import { PeopleStore } from "../../src/people/person/store.ts"
import { TombstoneStore } from "../../src/people/person/tombstones/store.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { identificationLayer, organizationId } from "../identification/identification-layer.ts"
import { TestDatabase } from "../support/database.ts"
import { fixedDataKeys } from "../support/data-keys.ts"

export const otherOrganizationId = "99999999-9999-4999-8999-999999999999"

export const sha256 = (email: string): string => hashEmail(email).sha256

export const peopleLayer = Layer.mergeAll(Imports.layer, Links.layer, People.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(ErasedPeople.layer, Merging.enrichment)),
  Layer.provideMerge(
    Layer.mergeAll(Audit.layer, DataVersions.layer, Merging.layer, Tombstones.layer),
  ),
  Layer.provideMerge(
    Layer.mergeAll(
      AuditStore.layer,
      ImportsStore.layer,
      LinksStore.layer,
      PeopleStore.layer,
      TombstoneStore.layer,
    ),
  ),
  Layer.provideMerge(Layer.mergeAll(Copy.layer, identificationLayer)),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(fixedDataKeys),
)

export const testLayer = peopleLayer.pipe(Layer.provideMerge(TestDatabase.layer))

/** Writes people to the database of a server. */
export const putPeople = (
  databaseUrl: string,
  organizationId: string,
  records: ReadonlyArray<PersonRecord>,
): Promise<void> =>
  Effect.flatMap(People, (people) => people.put(organizationId, records)).pipe(
    Effect.provide(peopleLayer),
    Effect.provide(Database.layer),
    Effect.provideService(DatabaseConfig, {
      url: Option.some(Redacted.make(databaseUrl)),
      dataDir: "unused: an address is given",
    }),
    Effect.runPromise,
  )

interface Sending {
  readonly organizationId?: string
  readonly isShared?: boolean
  readonly format?: ImportFormat
}

const importing = (
  kind: Effect.Effect<ImportKind, never, People | Links>,
  chunks: ReadonlyArray<string | Uint8Array>,
  sending: Sending,
) =>
  Effect.gen(function* () {
    const imports = yield* Imports
    return yield* imports.run({
      kind: yield* kind,
      format: sending.format ?? "ndjson",
      input: Stream.fromIterable(
        chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
      ),
      organizationId: sending.organizationId ?? organizationId,
      isShared: sending.isShared ?? false,
      actor: { type: "operator" },
    })
  })

export const people = Effect.map(People, ({ kind }) => kind)
export const links = Effect.map(Links, ({ kind }) => kind)

/** Sends a stream unchanged. */
export const send = importing

/** Sends records as NDJSON. */
export const sendPeople = (records: ReadonlyArray<PersonRecord>, sending: Sending = {}) =>
  importing(people, [ndjson(records)], sending)

export interface LinkRecord {
  readonly kind: "email" | "anonymous_id" | "external_id"
  readonly value: string
  readonly emailHash: string
}

export const sendLinks = (records: ReadonlyArray<LinkRecord>, sending: Sending = {}) =>
  importing(links, [ndjson(records)], sending)

export const ndjson = (records: ReadonlyArray<unknown>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** Returns the rows of a statement. */
export const rows = <Row extends object = Record<string, unknown>>(
  text: string,
  values: ReadonlyArray<unknown> = [],
) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text, [...values]))

/** Returns every visitor with its primary address, and all addresses with their kinds. */
export const visitorsKnown = Effect.map(
  rows<{ email: string; all: ReadonlyArray<string> }>(`
    select v.email, array_agg(coalesce(a.email || ' ' || a.kind, left(a.email_hash, 8))
      order by coalesce(a.email, a.email_hash) collate "C") as all
    from visitor v
    join visitor_address a on a.organization_id = v.organization_id and a.visitor_id = v.id
    group by v.organization_id, v.id
    order by v.email collate "C"`),
  (found) => found.map(({ all, email }) => [email, ...all]),
)
