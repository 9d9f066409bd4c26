// Credits and held-back people, rule by rule (spec 2.5, and the rows "Person" of 4.6).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CreditStore } from "../../src/people/credits/store.ts"
import { Identification } from "../../src/people/identification/identification.ts"
import {
  credits,
  endMonth,
  identifyAll,
  makeOrganization,
  setLimit,
  setSuppressed,
} from "./credits-layer.ts"
import { arrive, drain, event, identify, nextId, testLayer } from "./identification-layer.ts"

const release = (organizationId: string, limit = 1_000) =>
  CreditStore.use((store) => store.release(organizationId, limit))

const [ann, bob, cid, dot] = ["ann@a.example", "bob@b.example", "cid@c.example", "dot@d.example"]

layer(testLayer, { excludeTestServices: true })("credits", (it) => {
  it.effect("one for each newly identified person, even without a limit", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(null)

      yield* identifyAll(organizationId, [ann, bob])

      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 2,
        charged: [ann, bob],
        heldBack: [],
      })
    }),
  )

  it.effect(
    "one for all months: a person who returns in a later month is shown without another credit",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(null)
        yield* identifyAll(organizationId, [ann])
        yield* endMonth(organizationId)
        yield* setLimit(organizationId, 0)

        yield* identifyAll(organizationId, [ann, bob])

        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 0,
          charged: [ann],
          heldBack: [bob],
        })
      }),
  )

  it.effect(
    "none for anonymous browsers, further sessions, returning people and repeated events",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(null)
        const first = identify(0, ann, { organizationId })
        yield* arrive(first, event(1, { organizationId, anonymousId: nextId() }))
        yield* drain

        yield* arrive(
          first,
          identify(0, ann, { organizationId }),
          identify(5_000, ann, { organizationId }),
        )
        yield* drain
        yield* endMonth(organizationId)
        yield* identifyAll(organizationId, [ann])

        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 0,
          charged: [ann],
          heldBack: [],
        })
      }),
  )

  it.effect("none for another address of the same person", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* makeOrganization(null)
      yield* identifyAll(organizationId, [ann])
      yield* sql`
        insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
        select organization_id, encode(sha256('ann@home.example'), 'hex'), id, 'ann@home.example', now()
        from visitor where organization_id = ${organizationId}`

      yield* identifyAll(organizationId, ["ann@home.example"])

      assert.strictEqual((yield* credits(organizationId)).used, 1)
    }),
  )

  it.effect(
    "the one at the limit is released, the one above it held back, in order of arrival",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(2)

        yield* identifyAll(organizationId, [dot, bob, ann])

        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 2,
          charged: [bob, dot],
          heldBack: [ann],
        })
      }),
  )

  it.effect("a limit of 0 holds everyone back, but still records their identification", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* makeOrganization(0)
      yield* identifyAll(organizationId, [ann])

      yield* identifyAll(organizationId, [ann])

      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 0,
        charged: [],
        heldBack: [ann],
      })
      const recorded = yield* sql`
        select count(*)::int as sessions from session s
        join visitor v on v.organization_id = s.organization_id and v.id = s.visitor_id
        where v.organization_id = ${organizationId}`
      assert.deepStrictEqual(recorded, [{ sessions: 2 }])
    }),
  )

  it.effect("organizations do not share credits", () =>
    Effect.gen(function* () {
      const [poor, rich] = [yield* makeOrganization(1), yield* makeOrganization(2)]
      yield* arrive(
        ...[ann, bob].flatMap((email) => [
          identify(0, email, { organizationId: poor, anonymousId: nextId() }),
          identify(0, email, { organizationId: rich, anonymousId: nextId() }),
        ]),
      )

      yield* drain

      assert.deepStrictEqual((yield* credits(poor)).heldBack, [bob])
      assert.deepStrictEqual((yield* credits(rich)).charged, [ann, bob])
    }),
  )

  it.effect("a raised limit releases those held back longest, for one credit each", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(0)
      yield* identifyAll(organizationId, [cid, ann])
      yield* identifyAll(organizationId, [bob])

      yield* setLimit(organizationId, 2)
      const released = yield* release(organizationId)

      assert.strictEqual(released, 2)
      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 2,
        charged: [ann, cid],
        heldBack: [bob],
      })
    }),
  )

  it.effect("removing the limit releases everyone, batch by batch", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(0)
      yield* identifyAll(organizationId, [dot, cid, bob])
      yield* setLimit(organizationId, null)

      const batches = [yield* release(organizationId, 2), yield* release(organizationId, 2)]

      assert.deepStrictEqual(batches, [2, 1])
      assert.strictEqual((yield* credits(organizationId)).used, 3)
    }),
  )

  it.effect("the next month releases as many as its limit, and counts from 0", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(1)
      yield* identifyAll(organizationId, [ann, bob, cid])
      assert.strictEqual(yield* release(organizationId), 0)

      yield* endMonth(organizationId)
      yield* release(organizationId)

      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 1,
        charged: [ann, bob],
        heldBack: [cid],
      })
    }),
  )

  it.effect("released people stay released under a lower limit, and no one else is released", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(3)
      yield* identifyAll(organizationId, [ann, bob])

      yield* setLimit(organizationId, 1)
      yield* identifyAll(organizationId, [ann, cid])
      yield* release(organizationId)

      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 2,
        charged: [ann, bob],
        heldBack: [cid],
      })
    }),
  )

  it.effect("free credits go to people held back before anyone new", () =>
    Effect.gen(function* () {
      const organizationId = yield* makeOrganization(0)
      yield* identifyAll(organizationId, [ann, bob])

      yield* setLimit(organizationId, 3)
      yield* identifyAll(organizationId, [cid, dot])
      assert.deepStrictEqual((yield* credits(organizationId)).heldBack, [ann, bob, dot])
      yield* release(organizationId)

      assert.deepStrictEqual(yield* credits(organizationId), {
        used: 3,
        charged: [ann, bob, cid],
        heldBack: [dot],
      })
    }),
  )

  it.effect(
    "a suppressed person uses none, is not held back, and stays that way while suppressed",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(1)
        yield* identifyAll(organizationId, [ann])
        yield* setSuppressed(organizationId, ann, true)

        yield* identifyAll(organizationId, [ann])

        // The earlier credit is not refunded, because suppression only affects the future.
        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 1,
          charged: [ann],
          heldBack: [],
        })
      }),
  )

  it.effect(
    "after suppression ends, the next identification uses one; the end itself does not",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(null)
        yield* identifySuppressed(organizationId, ann)
        assert.strictEqual((yield* credits(organizationId)).used, 0)

        yield* setSuppressed(organizationId, ann, false)
        yield* release(organizationId)
        assert.strictEqual((yield* credits(organizationId)).used, 0)
        yield* identifyAll(organizationId, [ann])

        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 1,
          charged: [ann],
          heldBack: [],
        })
      }),
  )

  it.effect(
    "a person released while suppressed is held back when suppression ends and no credit is left",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(0)
        yield* identifySuppressed(organizationId, ann)
        assert.deepStrictEqual((yield* credits(organizationId)).heldBack, [])

        yield* setSuppressed(organizationId, ann, false)
        assert.deepStrictEqual((yield* credits(organizationId)).heldBack, [])
        yield* identifyAll(organizationId, [ann])

        assert.deepStrictEqual((yield* credits(organizationId)).heldBack, [ann])
      }),
  )

  it.effect(
    "a person suppressed after being held back is released for free, even if no credit is left",
    () =>
      Effect.gen(function* () {
        const organizationId = yield* makeOrganization(0)
        yield* identifyAll(organizationId, [ann, bob])

        yield* setSuppressed(organizationId, bob, true)
        const released = yield* release(organizationId)

        assert.strictEqual(released, 1)
        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 0,
          charged: [],
          heldBack: [ann],
        })
      }),
  )

  it.effect("only organizations where someone can be released are processed", () =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      const full = yield* makeOrganization(0)
      const free = yield* makeOrganization(0)
      const lifted = yield* makeOrganization(0)
      const suppressing = yield* makeOrganization(0)
      const empty = yield* makeOrganization(5)
      yield* Effect.forEach([full, free, lifted, suppressing], (id) => identifyAll(id, [ann]))
      yield* setLimit(free, 1)
      yield* setLimit(lifted, null)
      yield* setSuppressed(suppressing, ann, true)

      const found = (yield* store.releasable).filter((id) =>
        [full, free, lifted, suppressing, empty].includes(id),
      )

      assert.sameMembers([...found], [free, lifted, suppressing])
    }),
  )

  it.effect(
    "a pass that fails after charging has charged no one, and the next one charges once",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const organizationId = yield* makeOrganization(5)
        yield* sql`
        create function break_off() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '08006', message = 'lost'; end $$`
        yield* sql`
        create trigger break_off before insert on event
        for each row execute function break_off()`

        const failed = yield* Effect.exit(identifyAll(organizationId, [ann]))
        const between = yield* credits(organizationId)
        yield* sql`drop function break_off cascade`
        yield* drain

        assert.strictEqual(failed._tag, "Failure")
        assert.deepStrictEqual(between, { used: 0, charged: [], heldBack: [] })
        assert.deepStrictEqual(yield* credits(organizationId), {
          used: 1,
          charged: [ann],
          heldBack: [],
        })
      }),
  )

  it.effect("two concurrent passes and three releases charge exactly the limit", () =>
    Effect.gen(function* () {
      const identification = yield* Identification
      const organizationId = yield* makeOrganization(10)
      const people = Array.from({ length: 60 }, (_, index) => `person${index}@a.example`)
      yield* identifyAll(organizationId, people.slice(0, 30))
      yield* setLimit(organizationId, 45)
      yield* arrive(
        ...people.map((email) => identify(1, email, { organizationId, anonymousId: nextId() })),
      )

      yield* Effect.all(
        [
          identification.drain,
          release(organizationId, 7),
          release(organizationId, 11),
          identification.drain,
          release(organizationId, 5),
        ],
        { concurrency: "unbounded", discard: true },
      )
      yield* release(organizationId)

      const { charged, heldBack, used } = yield* credits(organizationId)
      assert.deepStrictEqual([used, charged.length, heldBack.length], [45, 45, 15])
    }),
  )
})

/** Identifies a person who is suppressed from the beginning. */
const identifySuppressed = Effect.fnUntraced(function* (organizationId: string, email: string) {
  const sql = yield* SqlClient.SqlClient
  yield* setSuppressed(organizationId, email, true)
  // An import names the person before the visit, so there is a row to mark.
  const id = nextId()
  yield* sql`
    insert into visitor
      (organization_id, id, email, email_hash, first_seen_at, last_seen_at, suppressed)
    values (${organizationId}, ${id}, ${email}, encode(sha256(${email}::bytea), 'hex'), now(), now(), true)`
  yield* sql`
    insert into visitor_address (organization_id, email_hash, visitor_id, email, first_seen_at)
    values (${organizationId}, encode(sha256(${email}::bytea), 'hex'), ${id}, ${email}, now())`
  yield* identifyAll(organizationId, [email])
})
