// Every statement about kept site analyses.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isoTime } from "../../database/iso-time.ts"
import { type ListStart, newestFirst } from "../../database/list-start.ts"
import type { SiteAnalysis, SiteTopic } from "./site-analysis.ts"

/** A kept analysis, as answers have it. */
export interface SiteAnalysisRow {
  readonly id: string
  readonly url: string
  readonly company: string | null
  readonly summary: string | null
  readonly keywords: ReadonlyArray<string>
  readonly topics: ReadonlyArray<SiteTopic>
  /** ISO 8601. */
  readonly createdAt: string
  /** `createdAt` to the microsecond: the sort key. */
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

    /** Newest first, from the start on. */
    list: (
      organizationId: string,
      start: ListStart,
      limit: number,
    ): Effect.Effect<ReadonlyArray<SiteAnalysisRow>> =>
      sql<SiteAnalysisRow>`
        select
          id, url, company, summary, keywords, topics,
          ${sql.literal(isoTime("created_at"))} as "createdAt",
          created_at::text as "createdKey"
        from site_analysis
        where organization_id = ${organizationId}
          ${newestFirst(sql, start, limit)}`.pipe(Effect.orDie),

    count: (organizationId: string): Effect.Effect<number> =>
      sql<{ readonly total: number }>`
        select count(*)::int as total from site_analysis where organization_id = ${organizationId}
      `.pipe(
        Effect.map((rows) => rows[0]!.total), // An aggregate answers one row.
        Effect.orDie,
      ),
  }
})

export class SiteAnalysisStore extends Context.Service<
  SiteAnalysisStore,
  Effect.Success<typeof make>
>()("@footfall/server/topics/SiteAnalysisStore") {
  static readonly layer = Layer.effect(SiteAnalysisStore, make)
}
