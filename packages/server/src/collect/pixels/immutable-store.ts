// Published scripts, stored as their parts: rows are only ever added, and deleted with their pixel (spec 2.3).
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ScriptParts } from "./script.ts"

/** Identifies one script of one pixel. */
export interface ScriptKey {
  readonly organizationId: string
  readonly pixelId: string
  /** The first 16 hex digits of the script's SHA-256. */
  readonly hash: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /** Stores a script; an existing one stays unchanged. */
    keep: (
      { hash, organizationId, pixelId }: ScriptKey,
      parts: ScriptParts & { readonly templateDigest: string },
    ): Effect.Effect<void> =>
      sql`
        with template as (
          insert into script_template (digest, body)
          values (${parts.templateDigest}, ${parts.template})
          on conflict (digest) do nothing
        )
        insert into pixel_script (organization_id, pixel_id, hash, template_digest, settings)
        values (${organizationId}, ${pixelId}, ${hash}, ${parts.templateDigest}, ${parts.settings})
        on conflict (organization_id, pixel_id, hash) do nothing
      `.pipe(Effect.asVoid, Effect.orDie),

    find: ({
      hash,
      organizationId,
      pixelId,
    }: ScriptKey): Effect.Effect<Option.Option<ScriptParts>> =>
      sql<ScriptParts>`
        select script_template.body as template, pixel_script.settings
        from pixel_script
        join script_template on script_template.digest = pixel_script.template_digest
        where organization_id = ${organizationId} and pixel_id = ${pixelId} and hash = ${hash}
      `.pipe(
        Effect.map((rows) => Option.fromNullishOr(rows[0])),
        Effect.orDie,
      ),
  }
})

export class ImmutableScriptStore extends Context.Service<
  ImmutableScriptStore,
  Effect.Success<typeof make>
>()("@footfall/server/pixels/ImmutableScriptStore") {
  static readonly layer = Layer.effect(ImmutableScriptStore, make)
}
