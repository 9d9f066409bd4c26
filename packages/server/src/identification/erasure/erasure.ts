// Erases a person of an organization, for good (spec 5.1): what is left is a keyed hash of each of
// their addresses, so that no one brings them back, and an entry of the audit log that names an id which
// means nothing any more. People held back are erased like any others (spec 4.6: from any state);
// shared people are the operator's and stay (docs/adr/0015), and so do shared signals, but where it is the
// operator who erases.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Author } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import { DataVersions } from "../../people/import/data-versions.ts"
import { Tombstones } from "../../people/tombstones/tombstones.ts"
import { Suppression } from "../../suppression/suppression.ts"
import { VisitorNotFound } from "../../visitors/visitors.ts"
import { Triggers } from "../../webhooks/triggers/triggers.ts"
import { CompanyUpkeepStore } from "../companies/store.ts"
import { Acquaintances } from "../merging/acquaintances.ts"
import { Kin, spelledOut } from "../merging/kin.ts"
import type { Visitor } from "../visitor.ts"
import { type KnownAddress, LaterErasure } from "./later-erasure.ts"
import { ErasureStore } from "./store.ts"

export interface ErasureRequest extends Author {
  /** SHA-256 of any address of the person. */
  readonly emailHash: string
  /** Adds an `email` rule for every address that is known in full. */
  readonly suppress: boolean
}

export class Erasure extends Context.Service<
  Erasure,
  {
    /**
     * Erases the person with an address.
     *
     * *Errors*: VisitorNotFound when the organization knows nothing of the address, neither by visit, import,
     * link, list nor signal of its own; also when the person was erased before.
     * *Guarantee*: all at once or not at all; when it returns, nothing of the person is in the
     * database, and neither a pass nor an import that runs meanwhile brings them back.
     */
    erase(request: ErasureRequest): Effect.Effect<void, VisitorNotFound>
  }
>()("@footfall/server/identification/Erasure") {
  static readonly layer = Layer.effect(
    Erasure,
    Effect.gen(function* () {
      const store = yield* ErasureStore
      const companies = yield* CompanyUpkeepStore
      const acquaintances = yield* Acquaintances
      const tombstones = yield* Tombstones
      const suppression = yield* Suppression
      const later = yield* LaterErasure
      const versions = yield* DataVersions
      const audit = yield* Audit
      const triggers = yield* Triggers
      const random = yield* SecureRandom.SecureRandom

      /** Otherwise than by a visit. A rule stays, so it tells nothing of a person who was erased before. */
      const isKnown = Effect.fnUntraced(function* (organizationId: string, emailHash: string) {
        if (yield* store.isKnown(organizationId, emailHash)) return true
        if (yield* later.knows(organizationId, emailHash)) return true
        if (!(yield* store.isSuppressed(organizationId, emailHash))) return false
        return (yield* tombstones.among([{ organizationId, emailHash }])).length === 0
      })

      /** Those of the person, and those that imports say are the same person's and no one else has. */
      const withKindred = Effect.fnUntraced(function* (
        organizationId: string,
        visitorId: string,
        own: ReadonlyArray<KnownAddress>,
      ) {
        const known = yield* acquaintances.of(
          own.map(({ emailHash }) => ({ organizationId, emailHash })),
        )
        const others = known.visitors.filter(({ id }) => id !== visitorId)
        return withKin(organizationId, own, new Kin(known), others)
      })

      const eraseOne = Effect.fnUntraced(function* (request: ErasureRequest) {
        const { emailHash, organizationId } = request
        yield* store.begin
        yield* later.waitForOthers(organizationId)
        yield* store.waitForTurn(organizationId)
        const found = yield* store.find(organizationId, emailHash)
        if (found === undefined && !(yield* isKnown(organizationId, emailHash))) {
          return yield* new VisitorNotFound()
        }
        // Who was never seen has no id: the audit log names one that means nothing, as it does of visitors.
        const visitorId = found ?? (yield* random.uuidV4())
        const own =
          found === undefined
            ? [{ emailHash, email: null }]
            : yield* store.addresses(organizationId, found)
        const addresses = yield* withKindred(organizationId, visitorId, own)
        yield* tombstones.leave(addresses.map(({ emailHash }) => ({ organizationId, emailHash })))
        const person = { organizationId, visitorId, addresses }
        yield* store.erase(person)
        const theirs = yield* companies.settle([organizationId])
        yield* triggers.forget(organizationId, [visitorId])
        yield* triggers.forgetCompanies(
          organizationId,
          theirs.map(({ domain }) => domain),
        )
        yield* Effect.forEach(later.parts, (part) => part(person), { discard: true })
        yield* versions.raise("people", organizationId)
        if (request.suppress) {
          const rules = addresses.flatMap(({ email }) =>
            email === null ? [] : [{ type: "email", value: email }],
          )
          yield* suppression.add(request, rules)
        }
        yield* audit.record(request, "visitor.erased", visitorId)
      })

      return Erasure.of({
        erase: Effect.fn("Erasure.erase")(
          (request: ErasureRequest) => store.transaction(eraseOne(request)),
          Effect.catchTag("SqlError", Effect.die),
        ),
      })
    }),
  )
}

const withKin = (
  organizationId: string,
  own: ReadonlyArray<KnownAddress>,
  kin: Kin,
  others: ReadonlyArray<Pick<Visitor, "addresses">>,
): ReadonlyArray<KnownAddress> => {
  const hashes = own.map(({ emailHash }) => emailHash)
  const told = new Map(own.map(({ email, emailHash }) => [emailHash, email]))
  const imported = spelledOut(hashes.flatMap((hash) => kin.recordsOf(organizationId, hash)))
  const taken = new Set(
    others.flatMap(({ addresses }) => addresses.map(({ emailHash }) => emailHash)),
  )
  const members = new Set(hashes.flatMap((hash) => [hash, ...kin.membersOf(organizationId, hash)]))
  return [...members]
    .filter((emailHash) => !taken.has(emailHash))
    .map((emailHash) => ({
      emailHash,
      email: told.get(emailHash) ?? imported.get(emailHash) ?? null,
    }))
}
