// When the server recomputes which signal numbers belong to one person (docs/adr/0019). model.test.ts tests who is one
// person.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Aliases } from "../../src/intent/audiences/aliases/aliases.ts"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { audiencesLayer } from "./audiences-layer.ts"

const organizationId = "11111111-1111-4111-8111-111111111111"
const [jane, janeToo, omar] = ["jane@acme.example", "jane@mail.example", "omar@acme.example"].map(
  emailHashOf,
) as [string, string, string]

const lead = Effect.fnUntraced(function* (owner: string, from: string, to: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into person_address (organization_id, email_hash, person_hash)
    values (${owner}::uuid, ${from}, ${to})`
})

const number = Effect.fnUntraced(function* (...hashes: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const hash of hashes) {
    yield* sql`
      insert into signal_person (email_hash, organization_ids)
      values (decode(${hash}, 'hex'), '{}')`
  }
})

/** Pairs of hashes and their owner. */
const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* (yield* Aliases).settle(organizationId, "1 minute")
  return yield* sql<{ owner: string; one: string; other: string }>`
    select organization_id as owner, encode(a.email_hash, 'hex') as one,
      encode(b.email_hash, 'hex') as other
    from signal_alias
    join signal_person as a on a.id = person
    join signal_person as b on b.id = leads_to
    order by owner, one`
})

const sharedMadeAt = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ at: string }>`
    select made_at::text as at from signal_alias_map where organization_id = ${sharedOrganizationId}`
  return row!.at // The shared aliases were settled.
})

layer(audiencesLayer)("aliases of numbers", (it) => {
  it.effect(
    "include new numbers and imports, and an organization's own come before shared ones",
    () =>
      Effect.gen(function* () {
        yield* lead(sharedOrganizationId, janeToo, jane)
        yield* number(jane)
        assert.deepStrictEqual(yield* settled, [])

        yield* number(janeToo, omar)
        const everybodys = { owner: sharedOrganizationId, one: janeToo, other: jane }
        assert.deepStrictEqual(yield* settled, [everybodys])

        const madeAt = yield* sharedMadeAt
        yield* lead(organizationId, janeToo, omar)
        assert.deepStrictEqual(yield* settled, [
          everybodys,
          { owner: organizationId, one: janeToo, other: omar },
        ])
        assert.strictEqual(yield* sharedMadeAt, madeAt, "does not compute shared ones again")
      }),
  )

  it.effect("include a number that is assigned before another one and committed after it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [early, late] = ["early@acme.example", "late@acme.example"].map(emailHashOf) as [
        string,
        string,
      ]
      const isGiven = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      yield* lead(sharedOrganizationId, early, jane)
      const importing = yield* number(early).pipe(
        Effect.andThen(Deferred.succeed(isGiven, undefined)),
        Effect.andThen(Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(isGiven)
      yield* number(late)
      yield* settled
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(importing)

      assert.deepInclude(yield* settled, { owner: sharedOrganizationId, one: early, other: jane })
    }),
  )

  it.effect("leave out numbers that are no longer assigned", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first, second, root] = ["1@x.example", "2@x.example", "3@x.example"].map(
        emailHashOf,
      ) as [string, string, string]
      yield* lead(sharedOrganizationId, first, root)
      yield* lead(sharedOrganizationId, second, root)
      yield* number(root, first, second)
      yield* settled
      yield* sql`delete from signal_person where email_hash = decode(${root}, 'hex')`

      const left = (yield* settled).filter(({ one }) => [first, second].includes(one))
      assert.deepStrictEqual(left, [{ owner: sharedOrganizationId, one: second, other: first }])
    }),
  )

  it.effect("include addresses from visits a minute later", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* lead(organizationId, jane, omar)
      const before = yield* settled

      yield* sql`update signal_alias_map set made_at = made_at - interval '59 seconds'`
      assert.deepStrictEqual(yield* settled, before)
      yield* sql`update signal_alias_map set made_at = made_at - interval '2 seconds'`

      assert.deepInclude(yield* settled, { owner: organizationId, one: jane, other: omar })
    }),
  )
})
