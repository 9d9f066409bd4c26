// SQL that reads signals in Postgres block by block, and adds the topics of visitors who are among their people.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"
import { integersOf } from "../signals/import/numbers-store.ts"
import type { Round, SignalCursor, Source } from "./store.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** People with one topic and score. */
export interface SignalBlock {
  readonly topicId: number
  readonly score: number
  readonly people: Int32Array
}

export interface SignalPage {
  readonly blocks: ReadonlyArray<SignalBlock>
  /** Undefined at the end. */
  readonly next: SignalCursor | undefined
}

/** Numbers of visitors. */
export interface NumberPage {
  readonly people: Int32Array
  /** Undefined at the end. */
  readonly after: NumberPlace | undefined
}

export interface NumberPlace {
  readonly since: number
  readonly organizationId: string
  readonly visitorId: string
  readonly person: number
}

export interface Hits {
  readonly topicIds: ReadonlyArray<number>
  readonly scores: ReadonlyArray<number>
  readonly people: ReadonlyArray<number>
}

/** Most blocks are small. */
const blocksMax = 2_000

const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const integers = (numbers: ReadonlyArray<number>) => sql`${`{${numbers.join(",")}}`}::integer[]`

  const ofSource = ({ date, organizationId, origin }: Source) => sql`
    organization_id = ${organizationId}::uuid and date = ${date}::date and origin = ${origin}`

  type Row = { readonly topicId: number; readonly score: number; readonly people: Uint8Array }
  const blockOf = ({ people, ...row }: Row): SignalBlock => ({
    ...row,
    people: integersOf(Buffer.from(people.buffer, people.byteOffset, people.byteLength), 24, 8),
  })

  /** The rest of a block that was begun. */
  const rest = (source: Source, { place, score, topicId }: SignalCursor, limit: number) =>
    sql<Row>`
      select topic_id as "topicId", score::integer as score,
        array_send(people[${place + 1}::integer:${place + limit}::integer]) as people
      from signal
      where ${ofSource(source)} and topic_id = ${topicId}::integer and score = ${score}::integer`.pipe(
      Effect.map(([row]) => (row === undefined ? undefined : blockOf(row))),
    )

  /** Whole blocks, or the beginning of a large one. Four bytes each as stored. */
  const following = (source: Source, { score, topicId }: SignalCursor, limit: number) =>
    sql<Row>`
      select topic_id as "topicId", score::integer as score,
        array_send(people[1:${limit}::integer]) as people
      from (
        select topic_id, score, people,
          sum(pg_column_size(people) / 4) over (order by topic_id, score) as through,
          row_number() over (order by topic_id, score) as place
        from (
          select topic_id, score, people from signal
          where ${ofSource(source)}
            and (topic_id, score) > (${topicId}::integer, ${score}::integer)
          order by topic_id, score
          limit ${blocksMax}
        ) as next
      ) as block
      where block.place = 1 or block.through <= ${limit}::integer
      order by topic_id, score`.pipe(Effect.map((rows) => rows.map(blockOf)))

  return {
    /** About `limit` signals after the cursor. */
    page: Effect.fnUntraced(function* (
      source: Source,
      cursor: SignalCursor,
      limit: number,
    ): Effect.fn.Return<SignalPage, SqlError.SqlError> {
      if (cursor.place > 0) {
        const block = yield* rest(source, cursor, limit)
        const read = block?.people.length ?? 0
        const place = read < limit ? 0 : cursor.place + read
        return { blocks: block === undefined ? [] : [block], next: { ...cursor, place } }
      }
      const blocks = yield* following(source, cursor, limit)
      const last = blocks.at(-1)
      if (last === undefined) return { blocks, next: undefined }
      const { people, score, topicId } = last
      const isPart = blocks.length === 1 && people.length === limit
      return { blocks, next: { topicId, score, place: isPart ? limit : 0 } }
    }),

    /** The next numbers of visitors for whom the round reads the source. */
    numbers: (
      { kind, source }: Round & { readonly source: Source },
      after: NumberPlace | undefined,
      limit: number,
    ): Result<NumberPage> => {
      const owner = source.organizationId
      const isOwn =
        owner === sharedOrganizationId ? sql`` : sql`and organization_id = ${owner}::uuid`
      const place = sql`organization_id, visitor_id, person`
      const rows =
        kind === "source"
          ? sql<NumberPlace>`
              select 0 as since, organization_id as "organizationId", visitor_id as "visitorId", person
              from visitor_number
              where true ${isOwn} ${
                after === undefined
                  ? sql``
                  : sql`and (${place}) > (${after.organizationId}::uuid, ${after.visitorId}::uuid, ${after.person}::integer)`
              }
              order by ${place}
              limit ${limit}`
          : sql<NumberPlace>`
              select since, organization_id as "organizationId", visitor_id as "visitorId", person
              from visitor_number
              where since > ${source.id} ${isOwn} ${
                after === undefined
                  ? sql``
                  : sql`and (since, ${place}) > (${after.since}::integer, ${after.organizationId}::uuid, ${after.visitorId}::uuid, ${after.person}::integer)`
              }
              order by since, ${place}
              limit ${limit}`
      return Effect.map(rows, (found) => ({
        people: Int32Array.from(found, ({ person }) => person),
        after: found.length < limit ? undefined : found.at(-1),
      }))
    },

    /**
     * Adds topics of visitors. The highest score counts. Who is being deleted is left out, and whoever deletes them waits
     * for this transaction.
     */
    add: (
      { kind, source }: Round & { readonly source: Source },
      { people, scores, topicIds }: Hits,
    ): Result<void> => {
      const owner = source.organizationId
      return Effect.asVoid(sql`
        with hit as materialized (
          select * from unnest(${integers(topicIds)}, ${integers(scores)}, ${integers(people)})
            as hit (topic_id, score, person)
        ), named as materialized (
          select organization_id, visitor_id, person from visitor_number
          where person = any (${integers([...new Set(people)])})
            ${owner === sharedOrganizationId ? sql`` : sql`and organization_id = ${owner}::uuid`}
            ${kind === "source" ? sql`` : sql`and since > ${source.id}`}
          for key share skip locked
        )
        insert into visitor_topic as known (
          organization_id, visitor_id, source_id, topic_id, score
        )
        select named.organization_id, named.visitor_id, ${source.id}::integer, hit.topic_id,
          max(hit.score)
        from hit
        join named on named.person = hit.person
        group by named.organization_id, named.visitor_id, hit.topic_id
        on conflict (organization_id, visitor_id, source_id, topic_id) do update
        set score = excluded.score
        where known.score < excluded.score`)
    },
  }
})

export class VisitorTopicRowStore extends Context.Service<
  VisitorTopicRowStore,
  Effect.Success<typeof make>
>()("@footfall/server/visitor-topics/VisitorTopicRowStore") {
  static readonly layer = Layer.effect(VisitorTopicRowStore, make)
}
