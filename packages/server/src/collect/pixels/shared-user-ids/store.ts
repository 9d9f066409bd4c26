// SQL for the user ids that strangers share. Identification finds them (identification/user-ids).
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { PixelKey } from "../store.ts"

export class SharedUserId extends Schema.Opaque<SharedUserId>()(
  Schema.Struct({
    id: Schema.String,
    userId: Schema.NullOr(Schema.String),
    sharedAt: Schema.DateTimeUtcFromDate,
  }),
) {}

/** Listed per pixel, newest first. */ // spec 15.2.12
const listedMax = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const list = SqlSchema.findAll({
    Request: Schema.Struct({ organizationId: Schema.String, pixelId: Schema.String }),
    Result: SharedUserId,
    execute: ({ organizationId, pixelId }) => sql`
      select user_id as id, text as "userId", shared_at as "sharedAt" from user_id_use
      where organization_id = ${organizationId} and pixel_id = ${pixelId}
        and shared_at is not null
      order by shared_at desc, user_id
      limit ${listedMax}`,
  })

  return {
    transaction: transactionOf(sql),

    list: (pixel: PixelKey): Effect.Effect<ReadonlyArray<SharedUserId>> =>
      Effect.orDie(list(pixel)),

    /** On every site. */
    newest: sql<{
      readonly domain: string
      readonly id: string
      readonly userId: string | null
    }>`
      select p.domain, u.user_id as id, u.text as "userId"
      from user_id_use u
      join pixel p on p.organization_id = u.organization_id and p.id = u.pixel_id
      where u.shared_at is not null and p.deleted_at is null
      order by u.shared_at desc, u.user_id
      limit 10`,

    /** Returns whether it was shared. */
    release: ({ organizationId, pixelId }: PixelKey, id: string): Effect.Effect<boolean> =>
      sql`
        delete from user_id_use
        where organization_id = ${organizationId} and pixel_id = ${pixelId} and user_id = ${id}
          and shared_at is not null
        returning user_id`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie,
      ),
  }
})

export class SharedUserIdStore extends Context.Service<
  SharedUserIdStore,
  Effect.Success<typeof make>
>()("@footfall/server/pixels/SharedUserIdStore") {
  static readonly layer = Layer.effect(SharedUserIdStore, make)
}
