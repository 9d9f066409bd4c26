// Applies imports to visitors, and merges visitors that turned out to be one person: the one seen first stays and takes
// over everything from the others. Changes by one batch of an import are made in that batch's transaction (spec 2.1,
// 2.19; docs/adr/0014).
import { Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { type KnownAddress, VisitorEnrichment } from "../../person/visitor-enrichment.ts"
import { Occasions } from "../../visitors/occasions.ts"
import { ChangesStore } from "../changes/store.ts"
import { CompanyUpkeepStore } from "../companies/store.ts"
import { CreditStore, type MergedVisitors } from "../../credits/store.ts"
import type { VisitorKey } from "../../suppression/cycle/store.ts"
import { OwnershipStore } from "../ownership/store.ts"
import { firstOf } from "../profile.ts"
import { isEnriched } from "../batch-occasions.ts"
import {
  type KnownVisitor,
  type StoredVisitor,
  type Visitor,
  withAddress,
  withImports,
} from "../visitor.ts"
import { PeopleLookup } from "./people-lookup.ts"
import { AliasGraph } from "./alias-graph.ts"
import { joinedVendors } from "../vendor-values.ts"
import { MergingStore } from "./store.ts"

/** Addresses whose visitors are in memory at a time. */
const addressesMax = 2_000

export class Merging extends Context.Service<
  Merging,
  {
    /**
     * Updates the visitors with one of the addresses. Runs in the caller's transaction, which holds identification's
     * turn.
     *
     * @returns those whose data changed
     */
    settle(
      addresses: ReadonlyArray<KnownAddress>,
    ): Effect.Effect<ReadonlyArray<VisitorKey>, DatabaseError>
  }
>()("@footfall/server/identification/Merging") {
  static readonly layer = Layer.effect(
    Merging,
    Effect.gen(function* () {
      const peopleLookup = yield* PeopleLookup
      const store = yield* MergingStore
      const changes = yield* ChangesStore
      const credits = yield* CreditStore
      const ownership = yield* OwnershipStore
      const occasions = yield* Occasions

      const settleSome = Effect.fnUntraced(function* (addresses: ReadonlyArray<KnownAddress>) {
        const known = yield* peopleLookup.of(addresses)
        if (known.visitors.length === 0) return []
        const { changed, merged, enriched } = settled(known.visitors, new AliasGraph(known))
        if (merged.length > 0) {
          yield* occasions.join(merged)
          yield* credits.merge(merged)
          yield* store.join(merged)
        }
        yield* changes.visitors(changed)
        yield* ownership.seen(
          [],
          merged.map(({ organizationId, survivorId }) => ({
            organizationId,
            visitorId: survivorId,
          })),
        )
        return enriched
      })

      return Merging.of({
        settle: Effect.fnUntraced(function* (addresses) {
          const enriched: Array<VisitorKey> = []
          for (let from = 0; from < addresses.length; from += addressesMax) {
            enriched.push(...(yield* settleSome(addresses.slice(from, from + addressesMax))))
          }
          return enriched
        }),
      })
    }),
  )

  /** Serves the room of imported people, which does not know about visitors. */
  static readonly enrichment = Layer.effect(
    VisitorEnrichment,
    Effect.gen(function* () {
      const { settle } = yield* Merging
      const companies = yield* CompanyUpkeepStore
      const occasions = yield* Occasions
      const enrich = Effect.fnUntraced(function* (addresses: ReadonlyArray<KnownAddress>) {
        const enriched = yield* settle(addresses)
        yield* companies.settle([...new Set(addresses.map(({ organizationId }) => organizationId))])
        yield* occasions.announce(
          enriched.map((visitor) => ({ ...visitor, pixelId: null, kind: "import" as const })),
        )
      })
      return VisitorEnrichment.of({ enrich })
    }),
  )
}

/** Merges each person's visitors into the one seen first; one that differs from its stored row has changed. */
const settled = (
  visitors: ReadonlyArray<StoredVisitor>,
  graph: AliasGraph,
): {
  readonly changed: ReadonlyArray<KnownVisitor>
  readonly merged: ReadonlyArray<MergedVisitors>
  readonly enriched: ReadonlyArray<VisitorKey>
} => {
  const people = Map.groupBy(
    visitors.toSorted(
      (a, b) => a.firstSeenAt - b.firstSeenAt || (a.emailHash < b.emailHash ? -1 : 1),
    ),
    ({ emailHash, organizationId }) =>
      `${organizationId} ${graph.rootOf(organizationId, emailHash)}`,
  )
  const survivorOf = new Map(
    [...people.values()].flatMap((group) => group.map(({ id }) => [id, group[0]!.id] as const)),
  )
  const owners = new Map(
    visitors.flatMap(({ addresses, id, organizationId }) =>
      addresses.map(
        ({ emailHash }) => [`${organizationId} ${emailHash}`, survivorOf.get(id)] as const,
      ),
    ),
  )
  const changed: Array<KnownVisitor> = []
  const merged: Array<MergedVisitors> = []
  const enriched: Array<VisitorKey> = []
  for (const [survivor, ...losers] of people.values()) {
    const { id, organizationId } = survivor!
    merged.push(...losers.map((loser) => ({ organizationId, survivorId: id, loserId: loser.id })))
    const one = withImports(asOne(survivor!, losers), graph, (hash) => {
      const owner = owners.get(`${organizationId} ${hash}`)
      return owner === undefined || owner === id
    })
    for (const { emailHash } of one.addresses) owners.set(`${organizationId} ${emailHash}`, id)
    if (losers.length > 0 || isOther(survivor!, one)) changed.push(one)
    if (isEnriched(survivor!, one)) enriched.push({ organizationId, visitorId: id })
  }
  return { changed, merged, enriched }
}

/** What is known about the person seen first wins. */
const asOne = (survivor: Visitor, losers: ReadonlyArray<Visitor>) => {
  const all = [survivor, ...losers]
  const [first, ...others] = all.flatMap(({ addresses }) => addresses)
  return {
    ...survivor,
    addresses: others.reduce(withAddress, withAddress([], first!)),
    traits: firstOf(all.map(({ traits }) => traits)),
    vendor: joinedVendors(all.map(({ vendor }) => vendor)),
    resolved: firstOf(all.map(({ resolved }) => resolved)),
  }
}

const isOther = (stored: StoredVisitor, known: KnownVisitor): boolean =>
  known.emailHash !== stored.emailHash ||
  addressesText(known) !== addressesText(stored) ||
  JSON.stringify(firstOf([known.profile])) !== JSON.stringify(firstOf([stored.profile]))

const addressesText = ({ addresses }: Visitor): string =>
  JSON.stringify(
    addresses
      .map(({ email, emailHash, firstSeenAt, kind }) => [emailHash, email, kind, firstSeenAt])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  )
