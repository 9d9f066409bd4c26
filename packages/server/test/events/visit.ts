// A session with events, written straight to the tables of a running server.
import { randomUUID } from "node:crypto"
import type { EventPayload } from "../../src/collect/visits/collected-event.ts"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import type { TestOrganization, TestServer } from "../support/server.ts"

export interface VisitEvent {
  readonly id?: string
  readonly type: "page" | "track" | "heartbeat" | "identify" | "capture"
  /** Seconds after the visit began. */
  readonly at: number
  readonly path?: string
  readonly payload?: Partial<EventPayload>
}

export interface Visit {
  /** The id of a visitor in the database; undefined for an anonymous visit. */
  readonly visitor?: string
  /** Registrable domain of the network's company. */
  readonly network?: string
  /** Epoch milliseconds. Default: an hour ago. */
  readonly startedAt?: number
  /** Days between an event and its receipt. Default: 0. */
  readonly daysLate?: number
  readonly events: ReadonlyArray<VisitEvent>
}

/** Returns the session's id in the database, and those of the events. */
export const putVisit = async (
  { sql }: Pick<TestServer, "sql">,
  { organizationId, pixelId }: Pick<TestOrganization, "organizationId" | "pixelId">,
  { daysLate = 0, events, network, startedAt = Date.now() - 3_600_000, visitor }: Visit,
): Promise<{ readonly session: string; readonly ids: ReadonlyArray<string> }> => {
  const session = randomUUID()
  const last = Math.max(0, ...events.map(({ at }) => at))
  await sql(
    `insert into session (organization_id, id, pixel_id, anonymous_id, visitor_id, network_domain,
       started_at, ended_at, pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls,
       page_times, channel, device_type, converted)
     values ($1, $2, $3, gen_random_uuid(), $4, $5, $6, $7, 1, 1, 0, 0, '{}', '{}', 'direct',
       'desktop', false)`,
    [
      organizationId,
      session,
      pixelId,
      visitor ?? null,
      network ?? null,
      new Date(startedAt).toISOString(),
      new Date(startedAt + last * 1_000).toISOString(),
    ],
  )
  const rows = events.map(({ at, id = randomUUID(), path = "/", payload = {}, type }) => {
    const time = startedAt + at * 1_000
    return {
      id,
      type,
      t: new Date(time).toISOString(),
      r: new Date(time + daysLate * 86_400_000).toISOString(),
      u: `https://tidewater.example${path}`,
      p: { k: "granted", d: "desktop", ...payload },
    }
  })
  const days = new Set(rows.map(({ r }) => r.slice(0, 10)))
  for (const day of days) {
    // As the server does, which may be doing it now.
    await sql(
      `do $make$ begin
         perform pg_advisory_xact_lock(${advisoryLocks.partition});
         create table if not exists event_${day.replaceAll("-", "")} partition of event
           for values from ('${day}') to (date '${day}' + 1);
       end $make$`,
    )
  }
  await sql(
    `insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id,
       session_id, type, occurred_at, url, payload)
     select $1, (r at time zone 'utc')::date, $2, id, r, gen_random_uuid(), $3, type, t, u, p
     from json_to_recordset($4::json)
       as e (id uuid, type text, t timestamptz, r timestamptz, u text, p jsonb)`,
    [organizationId, pixelId, session, JSON.stringify(rows)],
  )
  return { session, ids: rows.map(({ id }) => id) }
}

export const page = (
  at: number,
  path: string,
  payload: Partial<EventPayload> = {},
): VisitEvent => ({ type: "page", at, path, payload })

export const beat = (at: number, path: string, seconds = 30): VisitEvent => ({
  type: "heartbeat",
  at,
  path,
  payload: { s: seconds },
})

export const track = (
  at: number,
  path: string,
  name: string,
  props?: EventPayload["o"],
): VisitEvent => ({
  type: "track",
  at,
  path,
  payload: { n: name, ...(props === undefined ? {} : { o: props }) },
})
