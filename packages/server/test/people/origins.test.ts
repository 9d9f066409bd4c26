// How the addresses of a visitor were learned, and where profile values came from (spec 5.1.8).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EventArchive } from "../../src/people/archive/event-archive.ts"
import { EventArchiveStore } from "../../src/people/archive/store.ts"
import { Origins } from "../../src/people/identification/origins/origins.ts"
import type { CollectedEvent } from "../../src/collect/visits/collected-event.ts"
import {
  arrive,
  drain,
  event,
  identify,
  organizationId,
} from "../identification/identification-layer.ts"
import {
  otherOrganizationId,
  rows,
  sendLinks,
  sendPeople,
  sha256,
  testLayer,
} from "./people-layer.ts"

const jane = "jane@harbor.example"
const home = "jane@gmail.com"
const old = "jane@old.example"
const shared = "jane@shared.example"

const layer = Origins.layer.pipe(
  Layer.provide(Layer.provide(EventArchive.layer, EventArchiveStore.layer)),
  Layer.provideMerge(testLayer),
)
const collect = (...events: ReadonlyArray<CollectedEvent>) =>
  Effect.andThen(arrive(...events), drain)

/** An organization that may import for everyone. */
const operator = rows(
  `insert into organization (id, name, slug, is_operator)
   values ('${otherOrganizationId}', 'Operator', 'operator', true)`,
)

const originsOf = (email: string, organization = organizationId) =>
  Effect.flatMap(Origins, (origins) => origins.of(organization, sha256(email)))

/** The origin of each address, and how it was learned. */
const addressesOf = Effect.map(originsOf(jane), (found) =>
  Object.fromEntries(
    found!.addresses.map(({ email, emailHash, origin, way }) => [
      email ?? emailHash,
      [origin, way],
    ]),
  ),
)

const valuesOf = Effect.map(originsOf(jane), (found) =>
  Object.fromEntries(found!.values.map(({ field, origin }) => [field, origin])),
)

describe("each address of a visitor", () => {
  it.live("has its origin: a visit, an import, a shared import or a link", () =>
    Effect.gen(function* () {
      yield* operator
      yield* collect(identify(0, jane))
      yield* sendPeople([{ email: jane, emails: [home] }])
      yield* sendPeople([{ email: jane, emails: [shared] }], {
        organizationId: otherOrganizationId,
        isShared: true,
      })
      yield* sendLinks([{ kind: "email", value: sha256(old), emailHash: sha256(jane) }])

      assert.deepStrictEqual(yield* addressesOf, {
        [jane]: ["visit", "identify"],
        [home]: ["import", null],
        [shared]: ["shared_import", null],
        [sha256(old)]: ["identity_link", null],
      })
    }).pipe(Effect.provide(layer)),
  )

  it.live(
    "comes from the import, not from a link, if its record has the address of the visit",
    () =>
      Effect.gen(function* () {
        yield* collect(identify(0, home))
        yield* sendPeople([{ email: jane, emails: [home] }])

        assert.deepStrictEqual(yield* addressesOf, {
          [jane]: ["import", null],
          [home]: ["visit", "identify"],
        })
      }).pipe(Effect.provide(layer)),
  )

  it.live("has the method and the site of the event that named it first", () =>
    Effect.gen(function* () {
      yield* collect(identify(0, jane, { type: "capture" }))
      const found = yield* originsOf(jane)

      assert.strictEqual(found!.addresses[0]!.way, "form")
      assert.strictEqual(found!.addresses[0]!.pixelId, event(0).pixelId)
    }).pipe(Effect.provide(layer)),
  )

  it.live("is visible only to its organization", () =>
    Effect.gen(function* () {
      yield* collect(identify(0, jane))

      assert.isUndefined(yield* originsOf(jane, otherOrganizationId))
      assert.isUndefined(yield* originsOf(home))
    }).pipe(Effect.provide(layer)),
  )
})

describe("each value of a profile", () => {
  it.live("has its origin: imports before visits, and the address for the company", () =>
    Effect.gen(function* () {
      yield* operator
      const traits = { firstName: "Trait", jobTitle: "Trait" }
      yield* collect(identify(0, jane, { payload: { p: traits } }))
      yield* sendPeople([{ email: jane, firstName: "Imported", department: "sales" }])
      yield* sendPeople([{ email: jane, lastName: "Shared" }], {
        organizationId: otherOrganizationId,
        isShared: true,
      })

      assert.deepStrictEqual(yield* valuesOf, {
        firstName: "import",
        lastName: "shared_import",
        jobTitle: "visit",
        department: "import",
        companyDomain: "email_domain",
      })
    }).pipe(Effect.provide(layer)),
  )

  it.live("falls back to the visit's value when the import clears it", () =>
    Effect.gen(function* () {
      yield* collect(identify(0, jane, { payload: { p: { firstName: "Trait" } } }))
      yield* sendPeople([{ email: jane, firstName: "Imported" }])
      yield* sendPeople([{ email: jane, firstName: null }])

      assert.strictEqual((yield* valuesOf)["firstName"], "visit")
    }).pipe(Effect.provide(layer)),
  )
})
