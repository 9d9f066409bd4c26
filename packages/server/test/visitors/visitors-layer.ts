// The services of visitors/ on a separate database, with people written straight to its tables. Every test creates
// its own organization, so all tests in a file can share one database.
import { randomUUID } from "node:crypto"
import { Clock, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { KeyedLists } from "../../src/platform/lists/keyed-lists.ts"
import { Secrets } from "../../src/platform/secrets/secrets.ts"
import { Pixels } from "../../src/collect/pixels/pixels.ts"
import { PixelStore } from "../../src/collect/pixels/store.ts"
import type { ListScope } from "../../src/people/visitors/list-scope.ts"
import { Coverages } from "../../src/people/visitors/coverages/coverages.ts"
import { CoverageStore } from "../../src/people/visitors/coverages/store.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"
import { SessionStore } from "../../src/people/visitors/sessions/store.ts"
import { VisitorStore } from "../../src/people/visitors/store.ts"
import { type VisitorFilter, Visitors } from "../../src/people/visitors/visitors.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { TestDatabase } from "../support/database.ts"

/** 2026-03-11T09:00:00.000Z, the time of the example in spec 12.1. */
export const now = Date.parse("2026-03-11T09:00:00.000Z")
export const hour = 3_600_000
export const day = 24 * hour

export const secretOf = (text: string) => Redacted.make(text.padEnd(32, "."))

/** A service with its own root secrets, on a database that others use too. */
export const serviceLayer = (...secrets: ReadonlyArray<Redacted.Redacted>) =>
  Layer.fresh(Visitors.layer).pipe(
    Layer.provide(Layer.fresh(KeyedLists.layer)),
    Layer.provide(RuleTurns.layer),
    Layer.provide(Secrets.layer(secrets)),
  )

export const storesLayer = Layer.mergeAll(
  VisitorStore.layer,
  SessionStore.layer,
  Pixels.layer,
  Layer.provide(Coverages.layer, CoverageStore.layer),
).pipe(
  Layer.provide(PixelStore.layer),
  Layer.provide(SecureRandom.layerWebCrypto),
  Layer.provideMerge(TestDatabase.layer),
)

export const visitorsLayer = serviceLayer(secretOf("first")).pipe(Layer.provideMerge(storesLayer))

/** Runs an effect at this time. Only code that reads the clock notices. */
export const at =
  (epochMs: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.clockWith((clock) =>
      Effect.provideService(effect, Clock.Clock, {
        sleep: (duration) => clock.sleep(duration),
        currentTimeNanosUnsafe: () => BigInt(epochMs) * 1_000_000n,
        currentTimeNanos: Effect.succeed(BigInt(epochMs) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        currentTimeMillisUnsafe: () => epochMs,
        currentTimeMillis: Effect.succeed(epochMs),
      }),
    )

export interface Tenant {
  readonly organizationId: string
  readonly pixelId: string
}

/** A new organization with a pixel for `tidewater.example`. */
export const makeTenant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const organizationId = randomUUID()
  yield* sql`
    insert into organization (id, name, slug)
    values (${organizationId}, 'Tidewater', ${organizationId})`
  return { organizationId, pixelId: yield* makePixel(organizationId, "tidewater.example") }
})

export const makePixel = Effect.fnUntraced(function* (organizationId: string, domain: string) {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`
    insert into pixel (organization_id, id, domain, name)
    values (${organizationId}, ${id}, ${domain}, ${domain})`
  return id
})

export interface Seen {
  readonly email: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly suppressed?: boolean
}

/** Adds people to a tenant who were seen once, with one page view each. */
export const put = Effect.fnUntraced(function* (tenant: Tenant, people: ReadonlyArray<Seen>) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(
    people.map(({ at, email, suppressed = false }) => {
      const hash = hashEmail(email)
      return {
        id: randomUUID(),
        session: randomUUID(),
        browser: randomUUID(),
        email,
        hash: hash.sha256,
        sha1: hash.sha1,
        md5: hash.md5,
        at: new Date(at).toISOString(),
        suppressed,
      }
    }),
  )
  yield* sql`
    with seen as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as s (
        id uuid, session uuid, browser uuid, email text, hash text, sha1 text, md5 text,
        at timestamptz, suppressed boolean)
    ), visitors as (
      insert into visitor (organization_id, id, email, email_hash, email_sha1, email_md5,
        suppressed, first_seen_at, last_seen_at)
      select ${tenant.organizationId}::uuid, id, email, hash, sha1, md5, suppressed, at, at from seen
    ), addresses as (
      insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
      select ${tenant.organizationId}::uuid, hash, id, email, 'business', at from seen
    ), places as (
      insert into visitor_pixel (organization_id, visitor_id, pixel_id, email_hash, first_seen_at,
        last_seen_at)
      select ${tenant.organizationId}::uuid, id, ${tenant.pixelId}::uuid, hash, at, at from seen
    )
    insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
      ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
      entry_url, exit_url, channel, device_type, converted)
    select ${tenant.organizationId}::uuid, session, ${tenant.pixelId}::uuid, browser, id, at, at,
      1, 1, 0, 0, '{https://tidewater.example/}', array[at], 'https://tidewater.example/',
      'https://tidewater.example/', 'direct', 'desktop', true
    from seen`
})

/** Makes the people seen again at another time. */
export const seeAgain = Effect.fnUntraced(function* (
  { organizationId }: Tenant,
  emails: ReadonlyArray<string>,
  at: number,
) {
  const sql = yield* SqlClient.SqlClient
  const hashes = JSON.stringify(emails.map((email) => hashEmail(email).sha256))
  for (const table of ["visitor", "visitor_pixel"]) {
    yield* sql`
      update ${sql(table)} set last_seen_at = ${new Date(at)}
      where organization_id = ${organizationId}
        and email_hash in (select jsonb_array_elements_text(${hashes}::text::jsonb))`
  }
})

/** Everyone in an organization, by default over the whole history. */
export const everyone = (
  { organizationId }: Tenant,
  change: Partial<VisitorFilter> = {},
): VisitorFilter => ({ organizationId, timeframe: "all", suppressed: "include", ...change })

export const emailsOf = ({
  visitors,
}: {
  readonly visitors: ReadonlyArray<{ email: string | null }>
}) => visitors.map(({ email }) => email)

/** `count` people, the first one seen last. Groups of `every` share a time. */
export const crowd = (count: number, every = 1): ReadonlyArray<Seen> =>
  Array.from({ length: count }, (_, index) => ({
    email: `p${index}@acme.example`,
    at: now - hour - Math.floor(index / every) * 1_000,
  }))

/** Creates a tenant with these people. */
export const scene = Effect.fnUntraced(function* (people: ReadonlyArray<Seen>) {
  const tenant = yield* makeTenant
  yield* put(tenant, people)
  return tenant
})

/** One page, requested at this time. */
export const list = (
  filter: VisitorFilter,
  position: { readonly page: number } | { readonly cursor: string } = { page: 1 },
  moment = now,
) => Effect.flatMap(Visitors, (visitors) => visitors.list(filter, position)).pipe(at(moment))

/** The store's arguments for everyone in an organization. */
export const scopeOf = ({ organizationId }: Tenant): ListScope => ({
  organizationId,
  pixelId: undefined,
  isEmpty: false,
  timeframe: "all",
  asOf: DateTime.makeUnsafe(now),
  from: undefined,
  suppressed: "include",
})
