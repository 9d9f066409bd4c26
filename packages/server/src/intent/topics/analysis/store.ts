// SQL for stored site analyses.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { newestFirst } from "../../../platform/database/lists.ts"
import type { SiteAnalysis, SiteTopic } from "./site-analysis.ts"

/** spec 1.8 */
const keptDays = 365

/** A stored analysis, as in responses. */
export interface SiteAnalysisRow {
  readonly id: string
  readonly url: string
  readonly company: string | null
  readonly summary: string | null
  readonly keywords: ReadonlyArray<string>
  readonly topics: ReadonlyArray<SiteTopic>
  /** ISO 8601. */
  readonly createdAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdKey: string
}

export interface NewSiteAnalysis extends SiteAnalysis {
  readonly organizationId: string
  readonly id: string
  readonly url: string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient

  return {
    insert: (analysis: NewSiteAnalysis): Effect.Effect<void> =>
      sql`
        insert into site_analysis
          (organization_id, id, url, company, summary, keywords, topics, content_hash)
        values (${analysis.organizationId}, ${analysis.id}, ${analysis.url}, ${analysis.company},
          ${analysis.summary}, ${analysis.keywords}, ${pg.json(analysis.topics)},
          ${analysis.contentHash})
      `.pipe(Effect.asVoid, Effect.orDie),

    /** Deletes analyses past their retention. */
    prune: sql`
      delete from site_analysis where created_at < now() - make_interval(days => ${keptDays})
    `.pipe(Effect.asVoid),

    /** Newest first. */
    list: (organizationId: string) =>
      newestFirst<SiteAnalysisRow>(sql, {
        columns: sql.literal(`
          id, url, company, summary, keywords, topics, ${isoTime("created_at")} as "createdAt",
          created_at::text as "createdKey"`),
        from: "site_analysis",
        where: sql`organization_id = ${organizationId}`,
      }),
  }
})

export class SiteAnalysisStore extends Context.Service<
  SiteAnalysisStore,
  Effect.Success<typeof make>
>()("@footfall/server/topics/SiteAnalysisStore") {
  static readonly layer = Layer.effect(SiteAnalysisStore, make)
}
