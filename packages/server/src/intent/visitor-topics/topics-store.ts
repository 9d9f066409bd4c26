// SQL that reads the topics of one person or company, on the newest data date and the one before (spec 5.19).
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { onSites } from "../../people/visitors/sites-store.ts"
import { fragmentOf } from "../../platform/database/sql-text.ts"
import { type StatementTimedOut, withinLimit } from "../../platform/database/statement-timeout.ts"

export interface TopicScore {
  readonly topicId: number
  /** On the newest data date; null without one. */
  readonly score: number | null
  /** On the data date before. */
  readonly previousScore: number | null
  /** People of the company who have the score of the newest date. */
  readonly people: number
}

export interface FoundTopics {
  /** `YYYY-MM-DD`; null without signals. */
  readonly dataDate: string | null
  readonly previousDate: string | null
  readonly topics: ReadonlyArray<TopicScore>
}

/** Topics of one answer. */ // spec 10.3
const topicsMax = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** `subject`: selects one row if the person or company is known; `people`: its visitors' ids. */
  const read = (
    organizationId: string,
    subject: Statement.Fragment,
    people: Statement.Fragment,
  ): Effect.Effect<FoundTopics | undefined, StatementTimedOut> =>
    withinLimit(sql<FoundTopics>`
      with basis as (
        select date, sources, previous_date, previous_sources from visitor_topic_basis
        where organization_id = ${organizationId}
      ), topic as (
        select topic.topic_id,
          max(topic.score) filter (where topic.source_id = any (basis.sources)) as score,
          max(topic.score) filter (where topic.source_id = any (basis.previous_sources)) as previous,
          count(distinct topic.visitor_id) filter (where topic.source_id = any (basis.sources))
            as people
        from basis
        cross join (${people}) as person
        join visitor_topic as topic on topic.organization_id = ${organizationId}
          and topic.visitor_id = person.id
        where topic.source_id = any (basis.sources || basis.previous_sources)
        group by topic.topic_id
        order by score desc nulls last, previous desc nulls last, topic.topic_id
        limit ${sql.literal(String(topicsMax))}
      )
      select to_char(basis.date, 'YYYY-MM-DD') as "dataDate",
        to_char(basis.previous_date, 'YYYY-MM-DD') as "previousDate",
        coalesce((
          select jsonb_agg(
            jsonb_build_object('topicId', topic_id, 'score', score, 'previousScore', previous,
              'people', people)
            order by score desc nulls last, previous desc nulls last, topic_id)
          from topic
        ), '[]') as topics
      from (${subject}) as subject
      left join basis on true`).pipe(Effect.map(([found]) => found))

  return {
    /** Undefined for someone unknown, suppressed or held back. */
    ofPerson: (organizationId: string, emailHash: string) => {
      const person = sql`
        select visitor.id
        from visitor_address as address
        join visitor on visitor.organization_id = address.organization_id
          and visitor.id = address.visitor_id and not visitor.suppressed and not visitor.held_back
        where address.organization_id = ${organizationId} and address.email_hash = ${emailHash}`
      return read(organizationId, person, person)
    },

    /**
     * The highest scores of its people who are neither suppressed nor held back, and were seen on one of the sites.
     * Undefined for an unknown company. `pixelIds`: undefined for every site.
     */
    ofCompany: (
      organizationId: string,
      domain: string,
      pixelIds: ReadonlyArray<string> | undefined,
    ) =>
      read(
        organizationId,
        sql`select from company where organization_id = ${organizationId} and domain = ${domain}
          and not suppressed`,
        sql`select id from visitor
          where organization_id = ${organizationId} and company_key = ${domain}
            and not suppressed and not held_back ${
              pixelIds === undefined
                ? sql.literal("")
                : sql`and exists (
                    select from visitor_pixel as place
                    where place.organization_id = visitor.organization_id
                      and place.visitor_id = visitor.id
                      ${fragmentOf(onSites("place.pixel_id", pixelIds))}
                  )`
            }`,
      ),
  }
})

export class TopicsOfVisitorsStore extends Context.Service<
  TopicsOfVisitorsStore,
  Effect.Success<typeof make>
>()("@footfall/server/visitor-topics/TopicsOfVisitorsStore") {
  static readonly layer = Layer.effect(TopicsOfVisitorsStore, make)
}
