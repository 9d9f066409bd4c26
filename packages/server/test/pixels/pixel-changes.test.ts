// Pixels follow the status of their organization (decisions.md 4.6), and a domain that is freed while it
// is asked for: the service on a real database.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Audit } from "../../src/access/audit/audit.ts"
import { AuditStore } from "../../src/access/audit/store.ts"
import type { OrganizationStatus } from "../../src/access/organization.ts"
import { PixelChanges } from "../../src/pixels/pixel-changes.ts"
import { Pixels } from "../../src/pixels/pixels.ts"
import { PixelStore } from "../../src/pixels/store.ts"
import { TestDatabase } from "../support/database.ts"

const layer = PixelChanges.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Pixels.layer, Audit.layer)),
  Layer.provideMerge(
    Layer.mergeAll(PixelStore.layer, AuditStore.layer, SecureRandom.layerWebCrypto),
  ),
  Layer.provideMerge(TestDatabase.layer),
)

/** An organization with an active pixel, one paused by a request, and a deleted one. */
const setUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* PixelChanges
  const pixels = yield* Pixels
  const organizationId = randomUUID()
  yield* sql`
    insert into organization (id, name, slug) values (${organizationId}, 'Tidewater', ${organizationId})`
  const author = { organizationId, actor: { type: "operator" } } as const
  yield* changes.create(author, { domain: "active.example" })
  const paused = yield* changes.create(author, { domain: "paused.example" })
  yield* changes.change(author, paused.id, { status: "paused" })
  const deleted = yield* changes.create(author, { domain: "deleted.example" })
  yield* changes.delete(author, deleted.id)
  yield* sql`delete from audit_entry where organization_id = ${organizationId}`
  return {
    /** Sets the status as an operator does, and tells what the pixels are then. */
    become: Effect.fnUntraced(function* (status: OrganizationStatus) {
      yield* sql`update organization set status = ${status} where id = ${organizationId}`
      yield* changes.followOrganization(author)
      const rows = yield* pixels.list(organizationId)
      return Object.fromEntries(
        rows.map(({ domain, pausedReason }) => [domain, pausedReason ?? "active"]),
      )
    }),
    entries: sql<{ readonly action: string; readonly actorType: string }>`
      select action, actor_type as "actorType" from audit_entry
      where organization_id = ${organizationId} order by id`,
  }
})

describe("when the organization becomes", () => {
  for (const status of ["suspended", "expired"] as const) {
    it.effect(
      `${status}, active pixels are paused (organization_inactive), and active again with it`,
      () =>
        Effect.gen(function* () {
          const { become, entries } = yield* setUp

          assert.deepStrictEqual(yield* become(status), {
            "active.example": "organization_inactive",
            "paused.example": "manual",
          })
          assert.deepStrictEqual(yield* become("active"), {
            "active.example": "active",
            "paused.example": "manual",
          })
          assert.deepStrictEqual(yield* entries, [
            { action: "pixel.updated", actorType: "operator" },
            { action: "pixel.updated", actorType: "operator" },
          ])
        }).pipe(Effect.provide(layer)),
    )
  }

  it.effect("what it already is, or one inactive status after the other, nothing changes", () =>
    Effect.gen(function* () {
      const { become, entries } = yield* setUp

      yield* become("active")
      yield* become("trial")
      assert.deepStrictEqual(yield* entries, [])
      const suspended = yield* become("suspended")
      assert.deepStrictEqual(yield* become("expired"), suspended)
      assert.strictEqual((yield* entries).length, 1)
    }).pipe(Effect.provide(layer)),
  )
})

it.effect(
  "a domain whose pixel is deleted while it is asked for is free: the creation succeeds",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = randomUUID()
      yield* sql`
      insert into organization (id, name, slug) values (${organizationId}, 'Tidewater', ${organizationId})`
      const changes = yield* PixelChanges
      const author = { organizationId, actor: { type: "operator" } } as const
      const first = yield* changes.create(author, { domain: "harbor.example" })
      // The look-up of the id comes after the pixel in the way is gone.
      const store = yield* PixelStore
      const deleting = Layer.succeed(
        PixelStore,
        PixelStore.of({
          ...store,
          findIdByDomain: (organization, domain) =>
            Effect.andThen(
              store.delete({ organizationId, pixelId: first.id }),
              store.findIdByDomain(organization, domain),
            ),
        }),
      )

      const second = yield* Effect.flatMap(PixelChanges, (racing) =>
        racing.create(author, { domain: "harbor.example" }),
      ).pipe(Effect.provide(Layer.fresh(PixelChanges.layer).pipe(Layer.provide(deleting))))

      assert.notStrictEqual(second.id, first.id)
    }).pipe(Effect.provide(layer)),
)
