// A test server and, on its database, own intent as a separate process that runs on request. Also writes people's
// page views to where identification stores them.
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { Database } from "../../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../../src/platform/database/database-config.ts"
import { DataVersions } from "../../../src/people/imports/data-versions.ts"
import { ImportsStore } from "../../../src/people/imports/store.ts"
import { TombstoneStore } from "../../../src/people/person/tombstones/store.ts"
import { Tombstones } from "../../../src/people/person/tombstones/tombstones.ts"
import { OwnIntent } from "../../../src/intent/topics/own-intent/own-intent.ts"
import { DueMinutes, OwnIntentStore } from "../../../src/intent/topics/own-intent/store.ts"
import { Signals } from "../../../src/intent/signals/signals.ts"
import { SignalStore } from "../../../src/intent/signals/store.ts"
import { DataKeys } from "../../../src/platform/secrets/data-keys.ts"
import { dataKeysIn } from "../../support/data-keys.ts"
import { startServer, testSecret, type TestServer } from "../../support/server.ts"

export interface OwnIntentProcess {
  runDue(): Promise<void>
  close(): Promise<void>
}

/** A server without workers, and the process beside it, which is closed with it. */
export type OwnIntentServer = TestServer & OwnIntentProcess

export const startOwnIntentServer = async (): Promise<OwnIntentServer> => {
  const server = await startServer({ workers: false })
  const { close, runDue } = startOwnIntent(server)
  return { ...server, runDue, close: () => close().then(server.close) }
}

export const startOwnIntent = (
  { databaseUrl, sql }: TestServer,
  /** Minutes after midnight at which a day counts as ended. Default: the server's. */
  dueMinutes = 15,
): OwnIntentProcess => {
  const runtime = ManagedRuntime.make(
    OwnIntent.layer.pipe(
      Layer.provide(Signals.layer),
      Layer.provide(
        Layer.mergeAll(
          SignalStore.layer,
          Layer.provide(OwnIntentStore.layer, Layer.succeed(DueMinutes, dueMinutes)),
          Layer.provide(DataVersions.layer, ImportsStore.layer),
          Layer.provide(Tombstones.layer, TombstoneStore.layer),
        ),
      ),
      Layer.provide(
        Layer.effect(
          DataKeys,
          Effect.promise(() => dataKeysIn(sql, testSecret)),
        ),
      ),
      Layer.provide(Database.layer),
      Layer.provide(
        Layer.succeed(DatabaseConfig, {
          url: Option.some(Redacted.make(databaseUrl)),
          dataDir: "unused: an address is given",
        }),
      ),
    ),
  )
  return {
    runDue: () => runtime.runPromise(Effect.flatMap(OwnIntent, ({ runDue }) => runDue)),
    close: () => runtime.dispose(),
  }
}

/** The last ended day, by the clock of the database. */
export const endedDay = async ({ sql }: TestServer, dueMinutes = 15): Promise<string> => {
  const [row] = await sql(
    "select ((now() at time zone 'utc' - make_interval(mins => $1))::date - 1)::text as day",
    [dueMinutes],
  )
  return String(row?.["day"])
}

/** The day this many days later. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

export interface Person {
  readonly organizationId: string
  readonly visitorId: string
  readonly emailHash: string
}

export interface PageView {
  readonly person: Person | null
  readonly pixelId: string
  readonly url: string
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly at: string
  /** Default: `page`. */
  readonly type?: string
  /** Default: when it was seen. */
  readonly receivedAt?: string
}

export const makePerson = async (
  { sql }: TestServer,
  organizationId: string,
  { heldBack = false, suppressed = false } = {},
): Promise<Person> => {
  const [row] = await sql(
    `with made as (
       insert into visitor
         (organization_id, id, email_hash, suppressed, held_back, first_seen_at, last_seen_at)
       values ($1, gen_random_uuid(), encode(sha256(gen_random_uuid()::text::bytea), 'hex'), $2, $3,
         now(), now())
       returning *
     )
     insert into visitor_address (organization_id, email_hash, visitor_id, first_seen_at)
     select organization_id, email_hash, id, first_seen_at from made
     returning visitor_id, email_hash`,
    [organizationId, suppressed, heldBack],
  )
  return {
    organizationId,
    visitorId: String(row?.["visitor_id"]),
    emailHash: String(row?.["email_hash"]),
  }
}

/** Each page view has its own session. Without a person, it is in a browser in which no person was identified. */
export const view = async (
  { sql }: TestServer,
  organizationId: string,
  views: ReadonlyArray<PageView>,
): Promise<void> => {
  const rows = views.map(({ at, person, pixelId, receivedAt = at, type = "page", url }) => ({
    session: crypto.randomUUID(),
    visitor: person?.visitorId ?? null,
    pixelId,
    url,
    at,
    receivedAt,
    type,
  }))
  for (const day of new Set(rows.map(({ receivedAt }) => receivedAt.slice(0, 10)))) {
    await sql(
      `create table if not exists event_${day.replaceAll("-", "")} partition of event
       for values from ('${day}') to ('${dayAfter(day, 1)}')`,
    )
  }
  await sql(
    `with seen as (
       select * from jsonb_to_recordset($2::text::jsonb) as v (
         session uuid, visitor uuid, "pixelId" uuid, url text, at timestamptz,
         "receivedAt" timestamptz, type text)
     ), sessions as (
       insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, started_at,
         ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
         page_times, channel, device_type, converted)
       select $1, session, "pixelId", gen_random_uuid(), visitor, at, at, 1, 1, 0, 0, array[url],
         array[at], 'direct', 'desktop', false
       from seen
     )
     insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id,
       session_id, type, occurred_at, url, payload)
     select $1, ("receivedAt" at time zone 'utc')::date, "pixelId", gen_random_uuid(), "receivedAt",
       gen_random_uuid(), session, type, at, url, '{}'
     from seen`,
    [organizationId, JSON.stringify(rows)],
  )
}

export interface StoredSignal {
  readonly date: string
  readonly topicId: number
  readonly emailHash: string
  readonly score: number
}

/** The signals of the organization's pixels, in order. */
export const signalsOf = async (
  { sql }: TestServer,
  organizationId: string,
): Promise<ReadonlyArray<StoredSignal>> => {
  const rows = await sql(
    `select s.date::text, s.topic_id, encode(p.email_hash, 'hex') as email_hash, s.score
     from signal s
     cross join unnest(s.people) as m (id)
     join signal_person p on p.id = m.id
     where s.organization_id = $1 and s.origin = 'pixel'
     order by s.date, s.topic_id, email_hash, s.score`,
    [organizationId],
  )
  return rows.map((row) => ({
    date: String(row["date"]),
    topicId: Number(row["topic_id"]),
    emailHash: String(row["email_hash"]),
    score: Number(row["score"]),
  }))
}

export interface Rule {
  readonly path: string
  readonly topicId: number
}

export const setRules = async (
  { sql }: TestServer,
  pixelId: string,
  topicRules: ReadonlyArray<Rule>,
): Promise<void> => {
  await sql(
    "update pixel set settings = jsonb_build_object('topicRules', $2::text::jsonb) where id = $1",
    [pixelId, JSON.stringify(topicRules)],
  )
}

/**
 * Puts the database into the state after a finished day: the days after it are due, with a task for every
 * organization with rules.
 */
export const workedUntil = async ({ sql }: TestServer, day: string): Promise<void> => {
  await sql("delete from own_intent_task")
  await sql("delete from own_intent_day")
  await sql("insert into own_intent_day (date) values ($1)", [day])
}
