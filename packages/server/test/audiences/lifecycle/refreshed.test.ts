// What a completed run changes in its audience (spec 2.8, 4.1), as the store writes it for runs.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { draft, type AudienceState } from "../../../src/intent/audiences/lifecycle/audience.ts"
import { AudienceLifecycleStore } from "../../../src/intent/audiences/lifecycle/store.ts"
import { TestDatabase } from "../../support/database.ts"

const storeLayer = Layer.provideMerge(AudienceLifecycleStore.layer, TestDatabase.layer)

const paid: AudienceState = { status: "active", accessType: "paid", dailyRefreshEnabled: true }
const oneShot: AudienceState = {
  status: "active",
  accessType: "one_shot",
  dailyRefreshEnabled: false,
}
const run = { resultCount: 42, completedAt: "2026-03-11T09:03:01.480Z" }

/** An audience in a new organization, after one of its runs completed. */
const refreshed = Effect.fnUntraced(function* (standing: AudienceState) {
  const sql = yield* SqlClient.SqlClient
  const store = yield* AudienceLifecycleStore
  const organizationId = randomUUID()
  const audienceId = randomUUID()
  yield* sql`
    insert into organization (id, name, slug) values (${organizationId}, 'T', ${organizationId})`
  yield* store.insert({
    organizationId,
    id: audienceId,
    name: "Buyers",
    config: { topicIds: [1], minScore: 70, maxScore: 100, minTopicOverlap: 1, filters: {} },
    sourceUrl: null,
    createdBy: null,
    ...standing,
  })
  yield* store.transaction(store.refreshed(organizationId, audienceId, run))
  return (yield* store.find({ organizationId, audienceId }))!
})

layer(storeLayer, { excludeTestServices: true })("a completed run", (it) => {
  for (const standing of [paid, { ...paid, status: "paused" } as const, draft]) {
    it.effect(`sets size and time of a ${standing.status} audience, and not its status`, () =>
      Effect.gen(function* () {
        const audience = yield* refreshed(standing)

        assert.strictEqual(audience.audienceSize, 42)
        assert.strictEqual(audience.lastRefreshedAt, run.completedAt)
        assert.strictEqual(audience.status, standing.status)
        assert.isNull(audience.pausedAt)
      }),
    )
  }

  it.effect("active (one_shot), its first run completes: paused", () =>
    Effect.gen(function* () {
      const audience = yield* refreshed(oneShot)

      assert.strictEqual(audience.audienceSize, 42)
      assert.strictEqual(audience.status, "paused")
      assert.strictEqual(audience.accessType, "one_shot")
      assert.strictEqual(audience.pausedAt, run.completedAt)
    }),
  )
})
