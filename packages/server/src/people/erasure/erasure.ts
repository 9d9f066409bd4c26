// Erases a person of an organization for good (spec 5.1). All that remains is a keyed hash of each address, so that no
// one brings them back, and an audit entry with an id that no longer means anything. People held back are erased like
// any others (spec 4.6). Shared people and signals belong to the operator and stay (docs/adr/0015), unless the operator
// erases.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Author } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import { makePartyTurns } from "../../platform/jobs/fair-turns.ts"
import { EventArchive } from "../archive/event-archive.ts"
import { DataVersions } from "../imports/data-versions.ts"
import { Tombstones } from "../person/tombstones/tombstones.ts"
import { Suppression } from "../suppression/suppression.ts"
import { ListStore } from "../lists/store.ts"
import { OriginStore } from "../suppression/origin-store.ts"
import { VisitorNotFound } from "../visitors/visitors.ts"
import { Occasions } from "../visitors/occasions.ts"
import { CompanyUpkeepStore } from "../identification/companies/store.ts"
import { PeopleLookup } from "../identification/merging/people-lookup.ts"
import { AliasGraph, spelledOut } from "../identification/merging/alias-graph.ts"
import type { Visitor } from "../identification/visitor.ts"
import {
  archivedPages,
  type ArchiveRequest,
  pageOf,
  pagesOf,
  personArchive,
} from "./archive-file.ts"
import { type ErasedPerson, type KnownAddress, LaterErasure } from "./later-erasure.ts"
import type { ErasureReceipt } from "./receipt.ts"
import { ReceiptStore } from "./receipt-store.ts"
import { ErasureStore } from "./store.ts"

export interface ErasureRequest extends Author {
  /** SHA-256 of any of the person's addresses. */
  readonly emailHash: string
  /** Also adds an `email` rule for every address that is known in full. */
  readonly suppress: boolean
}

/** No turn became free within the maximum wait. */
export class ErasuresBusy extends Schema.TaggedError<ErasuresBusy>()("ErasuresBusy", {}) {}

/**
 * Erasures wait for their organization's turn. All but one of a party wait here, because in the database each would hold
 * a connection that other organizations need.
 */
const waiting = {
  turns: 3,
  turnsOfOne: 1,
  wait: "30 seconds",
  busy: () => new ErasuresBusy(),
} as const

export class Erasure extends Context.Service<
  Erasure,
  {
    /**
     * A ZIP file with everything that the organization has about the person with an address, as of one moment.
     *
     * *Errors*: VisitorNotFound, as for `erase`; ErasuresBusy.
     */
    archive(request: ArchiveRequest): Effect.Effect<Uint8Array, VisitorNotFound | ErasuresBusy>
    /**
     * Erases the person with an address.
     *
     * *Errors*: VisitorNotFound if the organization knows nothing about the address from visits, imports, links, lists
     * or its own signals, or if the person was erased before; ErasuresBusy. *Guarantee*: atomic; afterwards the database
     * contains nothing about the person, and no concurrent pass or import brings them back.
     */
    erase(request: ErasureRequest): Effect.Effect<ErasureReceipt, VisitorNotFound | ErasuresBusy>
  }
>()("@footfall/server/identification/Erasure") {
  static readonly layer = Layer.effect(
    Erasure,
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const receipts = yield* ReceiptStore
      const lists = yield* ListStore
      const origins = yield* OriginStore
      const companies = yield* CompanyUpkeepStore
      const peopleLookup = yield* PeopleLookup
      const tombstones = yield* Tombstones
      const suppression = yield* Suppression
      const later = yield* LaterErasure
      const versions = yield* DataVersions
      const audit = yield* Audit
      const events = yield* EventArchive
      const occasions = yield* Occasions
      const random = yield* SecureRandom.SecureRandom
      const turns = yield* makePartyTurns(waiting)
      const archiveTurns = yield* makePartyTurns(waiting)

      /** Known other than by a visit. Suppression rules do not count, because they stay after an erasure. */
      const isKnown = Effect.fnUntraced(function* (organizationId: string, emailHash: string) {
        if (yield* store.isKnown(organizationId, emailHash)) return true
        if (yield* lists.knows(organizationId, emailHash)) return true
        if (yield* later.knows(organizationId, emailHash)) return true
        if (!(yield* store.isSuppressed(organizationId, emailHash))) return false
        return (yield* tombstones.among([{ organizationId, emailHash }])).length === 0
      })

      /** The person's addresses, plus those that imports link to them and that no one else has. */
      const withKindred = Effect.fnUntraced(function* (
        organizationId: string,
        visitorId: string,
        own: ReadonlyArray<KnownAddress>,
      ) {
        const known = yield* peopleLookup.of(
          own.map(({ emailHash }) => ({ organizationId, emailHash })),
        )
        const others = known.visitors.filter(({ id }) => id !== visitorId)
        return withAliases(organizationId, own, new AliasGraph(known), others)
      })

      /** By what the organization knows whoever has the address. Fails with VisitorNotFound if it knows nothing. */
      const known = Effect.fnUntraced(function* (organizationId: string, emailHash: string) {
        const found = yield* store.find(organizationId, emailHash)
        if (found === undefined && !(yield* isKnown(organizationId, emailHash))) {
          return yield* new VisitorNotFound()
        }
        // Someone never seen has no id, so the audit log gets a meaningless one, as for visitors.
        const visitorId = found ?? (yield* random.uuidV4())
        const own =
          found === undefined
            ? [{ emailHash, email: null }]
            : yield* store.addresses(organizationId, found)
        return { visitorId, addresses: yield* withKindred(organizationId, visitorId, own) }
      })

      const keptOf = (person: ErasedPerson) => [...store.kept(person), ...later.kept(person)]

      /** What is in Postgres, and the sessions whose events may be in ClickHouse. */
      const archiveOne = Effect.fnUntraced(function* (request: ArchiveRequest) {
        const { emailHash, organizationId } = request
        const archive = personArchive()
        yield* store.beginReading
        const person = { organizationId, ...(yield* known(organizationId, emailHash)) }
        yield* archive.add("known_addresses", pageOf(person.addresses))
        for (const kind of keptOf(person)) {
          yield* store.open(kind)
          yield* archive.add(kind.kind, pagesOf(store.next))
          yield* store.close
        }
        yield* audit.record(request, "visitor.archived", person.visitorId)
        return { archive, sessions: yield* store.archivedSessions(person) }
      })

      const archiveWhole = Effect.fnUntraced(function* (request: ArchiveRequest) {
        const { archive, sessions } = yield* store.transaction(archiveOne(request))
        yield* archive.add(
          "archived_events",
          archivedPages(sessions, (session, after, limit) =>
            Effect.map(
              events.ofSession(session, after, { listed: limit, moments: 1 }),
              ({ listed }) => listed,
            ),
          ),
        )
        return yield* archive.end(request)
      })

      const eraseOne = Effect.fnUntraced(function* (request: ErasureRequest) {
        const { emailHash, organizationId } = request
        yield* store.begin
        yield* later.waitForOthers(organizationId)
        yield* store.waitForTurn(organizationId)
        const { addresses, visitorId } = yield* known(organizationId, emailHash)
        yield* tombstones.leave(addresses.map(({ emailHash }) => ({ organizationId, emailHash })))
        const erasureId = yield* random.uuidV4()
        const person = { erasureId, organizationId, visitorId, addresses }
        const kinds = yield* store.count(keptOf(person))
        yield* receipts.begin(
          organizationId,
          erasureId,
          kinds.filter(({ count }) => count > 0),
        )
        yield* store.erase(person)
        yield* lists.erase(
          organizationId,
          addresses.map((address) => address.emailHash),
        )
        yield* origins.erase(
          organizationId,
          addresses.map((address) => address.emailHash),
        )
        const theirs = yield* companies.settle([organizationId])
        yield* occasions.forget(organizationId, [visitorId])
        yield* occasions.forgetCompanies(
          organizationId,
          theirs.map(({ domain }) => domain),
        )
        yield* Effect.forEach(later.parts, (part) => part(person), { discard: true })
        yield* versions.raise("people", organizationId)
        if (request.suppress) {
          const rules = addresses.flatMap(({ email }) =>
            email === null ? [] : [{ type: "email", value: email }],
          )
          yield* suppression.addWithin(request, rules)
        }
        yield* audit.record(request, "visitor.erased", visitorId)
        const { createdKey: _, ...receipt } = yield* receipts.finish(organizationId, erasureId)
        return receipt
      })

      return Erasure.of({
        archive: Effect.fn("Erasure.archive")(
          (request: ArchiveRequest) =>
            archiveTurns.run(request.organizationId, archiveWhole(request)),
          Effect.catchTag("SqlError", Effect.die),
        ),
        erase: Effect.fn("Erasure.erase")(
          (request: ErasureRequest) =>
            turns.run(request.organizationId, store.transaction(eraseOne(request))),
          Effect.catchTag("SqlError", Effect.die),
        ),
      })
    }),
  )
}

const withAliases = (
  organizationId: string,
  own: ReadonlyArray<KnownAddress>,
  graph: AliasGraph,
  others: ReadonlyArray<Pick<Visitor, "addresses">>,
): ReadonlyArray<KnownAddress> => {
  const hashes = own.map(({ emailHash }) => emailHash)
  const emails = new Map(own.map(({ email, emailHash }) => [emailHash, email]))
  const imported = spelledOut(hashes.flatMap((hash) => graph.recordsOf(organizationId, hash)))
  const taken = new Set(
    others.flatMap(({ addresses }) => addresses.map(({ emailHash }) => emailHash)),
  )
  const members = new Set(
    hashes.flatMap((hash) => [hash, ...graph.membersOf(organizationId, hash)]),
  )
  return [...members]
    .filter((emailHash) => !taken.has(emailHash))
    .map((emailHash) => ({
      emailHash,
      email: emails.get(emailHash) ?? imported.get(emailHash) ?? null,
    }))
}
