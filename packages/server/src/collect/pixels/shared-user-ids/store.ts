// SQL for the user ids that strangers share. Identification finds them (identification/user-ids).
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { transactionOf } from "../../../platform/database/transaction.ts"
import type { PixelKey } from "../store.ts"

export interface SharedUserId {
  readonly id: string
  readonly userId: string | null
  /** ISO 8601, as in responses. */
  readonly sharedAt: string
}

/** Listed per pixel, newest first. */ // spec 15.2.12
const listedMax = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    transaction: transactionOf(sql),

    list: ({ organizationId, pixelId }: PixelKey): Effect.Effect<ReadonlyArray<SharedUserId>> =>
      Effect.orDie(
        sql<SharedUserId>`
          select user_id as id, text as "userId",
            ${sql.literal(isoTime("shared_at"))} as "sharedAt"
          from user_id_use
          where organization_id = ${organizationId} and pixel_id = ${pixelId}
            and shared_at is not null
          order by shared_at desc, user_id
          limit ${listedMax}`,
      ),

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
