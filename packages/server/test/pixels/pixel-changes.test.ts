// Creating a pixel while another request deletes the conflicting one: tests the service on a real database, because
// a request can't be paused there.
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Audit } from "../../src/access/audit/audit.ts"
import { AuditStore } from "../../src/access/audit/store.ts"
import {
  KnownTopics,
  PixelChanges,
  TopicRulesChanged,
} from "../../src/collect/pixels/pixel-changes.ts"
import { Pixels } from "../../src/collect/pixels/pixels.ts"
import { PixelStore } from "../../src/collect/pixels/store.ts"
import { TestDatabase } from "../support/database.ts"

const layer = PixelChanges.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Pixels.layer, Audit.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      PixelStore.layer,
      AuditStore.layer,
      SecureRandom.layerWebCrypto,
      Layer.mock(KnownTopics, {}),
      Layer.mock(TopicRulesChanged, {}),
    ),
  ),
  Layer.provideMerge(TestDatabase.layer),
)

it.effect(
  "a domain whose pixel is deleted during the creation is free: the creation succeeds",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = randomUUID()
      yield* sql`
      insert into organization (id, name, slug) values (${organizationId}, 'Tidewater', ${organizationId})`
      const changes = yield* PixelChanges
      const author = { organizationId, actor: { type: "operator" } } as const
      const first = yield* changes.create(author, { domain: "harbor.example" })
      // The lookup of the id runs after the conflicting pixel is deleted.
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
