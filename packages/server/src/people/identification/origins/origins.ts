// How each address of a visitor was learned, and where each profile value comes from (spec 5.1.8). Nothing extra is
// stored for this: what visits, resolvers and imports reported is stored separately, so a value belongs to the first
// source that has it.
import { Context, Effect, Layer } from "effect"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { EventArchive } from "../../archive/event-archive.ts"
import type { SeenAddress } from "../../archive/store.ts"
import { PeopleLookup } from "../merging/people-lookup.ts"
import { AliasGraph } from "../merging/alias-graph.ts"
import { type Profile, profileColumns } from "../profile.ts"
import { profileOfVendors } from "../vendor-values.ts"
import type { StoredVisitor } from "../visitor.ts"
import { type NamingImport, OriginStore } from "./store.ts"

/** `email_domain`: the company domain comes from a business address. */
export const origins = [
  "visit",
  "import",
  "shared_import",
  "identity_link",
  "vendor",
  "resolver",
  "email_domain",
] as const
export type Origin = (typeof origins)[number]

/** The kind of event that named an address. */
export const ways = ["identify", "form", "mail_link"] as const
export type Way = (typeof ways)[number]

export interface AddressOrigin {
  readonly emailHash: string
  readonly email: string | null
  readonly origin: Origin
  /** The name of the inbound source; null unless a vendor named it. */
  readonly source: string | null
  /** Null if no visit named it, or the event is no longer stored. */
  readonly way: Way | null
  readonly pixelId: string | null
  /** Epoch milliseconds; null if no visit named it. */
  readonly firstSeenAt: number | null
}

export interface ValueOrigin {
  /** As named in a visitor. */
  readonly field: string
  readonly origin: Origin
  /** The name of the inbound source; null unless it is a vendor's. */
  readonly source: string | null
}

export interface VisitorOrigins {
  readonly addresses: ReadonlyArray<AddressOrigin>
  readonly values: ReadonlyArray<ValueOrigin>
}

const make = Effect.gen(function* () {
  const peopleLookup = yield* PeopleLookup
  const store = yield* OriginStore
  const archive = yield* EventArchive

  /** Postgres first: an event is in ClickHouse before it is deleted here. */
  const namingEvents = Effect.fnUntraced(function* (
    visitor: StoredVisitor,
    addresses: ReadonlyArray<SeenAddress>,
  ) {
    const found = yield* store.namingEvents(visitor, addresses)
    const hashes = new Set(found.map(({ emailHash }) => emailHash))
    const others = addresses.filter(({ emailHash }) => !hashes.has(emailHash))
    if (others.length === 0) return found
    return [...found, ...(yield* Effect.orDie(archive.naming(visitor, others)))]
  })

  return {
    /** Undefined if no visitor has the address. */
    of: Effect.fn("Origins.of")(function* (organizationId: string, emailHash: string) {
      const known = yield* Effect.orDie(peopleLookup.of([{ organizationId, emailHash }]))
      const visitor = known.visitors.find(
        (one) =>
          one.organizationId === organizationId &&
          one.addresses.some((address) => address.emailHash === emailHash),
      )
      if (visitor === undefined) return undefined
      const { addresses } = visitor
      const claims = addresses.flatMap(({ email, emailHash, firstSeenAt }) =>
        firstSeenAt === null ? [] : [{ emailHash, email, firstSeenAt }],
      )
      const imported = addresses.filter(({ firstSeenAt }) => firstSeenAt === null)
      const events = yield* namingEvents(visitor, claims)
      const imports = yield* store.namingImports(
        organizationId,
        imported.map((address) => address.emailHash),
      )
      return {
        addresses: addresses.map(({ email, emailHash, firstSeenAt }) => {
          const event = events.find((one) => one.emailHash === emailHash)
          return {
            emailHash,
            email,
            firstSeenAt,
            origin:
              firstSeenAt === null
                ? importOrigin(imports, emailHash)
                : event?.vendor == null
                  ? "visit"
                  : "vendor",
            source: event?.vendor ?? null,
            way: event === undefined ? null : wayOf(event.type),
            pixelId: event?.pixelId ?? null,
          }
        }),
        values: valueOrigins(visitor, new AliasGraph(known)),
      } satisfies VisitorOrigins
    }),
  }
})

export class Origins extends Context.Service<Origins, Effect.Success<typeof make>>()(
  "@footfall/server/identification/Origins",
) {
  static readonly layer = Layer.provide(Layer.effect(Origins, make), OriginStore.layer)
}

const wayOf = (type: string): Way =>
  type === "capture" ? "form" : type === "page" ? "mail_link" : "identify"

/** The organization's own imports win over shared ones, and links over records. */
const importOrigin = (imports: ReadonlyArray<NamingImport>, emailHash: string): Origin => {
  const named = imports.filter((one) => one.emailHash === emailHash)
  const own = named.filter(({ isShared }) => !isShared)
  if (own.some(({ isLink }) => isLink)) return "identity_link"
  return own.length === 0 && named.length > 0 ? "shared_import" : "import"
}

/** In the order in which they fill a field. spec 6.7, 13.1.2. */
const valueOrigins = (
  { emailHash, organizationId, profile, resolved, traits, vendor }: StoredVisitor,
  graph: AliasGraph,
): ReadonlyArray<ValueOrigin> => {
  const said: ReadonlyArray<{ readonly origin: Origin; readonly profile: Profile }> = [
    ...graph.recordsOf(organizationId, emailHash).map(
      (record) =>
        ({
          origin: record.organizationId === sharedOrganizationId ? "shared_import" : "import",
          profile: record.profile,
        }) as const,
    ),
    { origin: "visit", profile: traits },
    { origin: "vendor", profile: profileOfVendors(vendor) },
    { origin: "resolver", profile: resolved },
  ]
  return profileColumns.flatMap((column) => {
    // It comes with the phones.
    if (column === "phones_dnc" || isNothing(profile[column])) return []
    const value = JSON.stringify(profile[column])
    const source = said.find((one) => JSON.stringify(one.profile[column]) === value)
    const rest = column === "company_domain" ? "email_domain" : "import"
    const origin = source?.origin ?? rest
    const name = origin === "vendor" ? (vendor[column]?.[2] ?? null) : null
    return [{ field: fieldOf(column), origin, source: name }]
  })
}

const isNothing = (value: Profile[keyof Profile]): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** `company_total_revenue` becomes `companyTotalRevenue`. */
const fieldOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
