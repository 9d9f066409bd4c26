// Pages by offset of a list that changes between them, for every list with a key: a remembered end of a page belongs to
// one version of the list, and after a write no server process uses it (spec 1.6).
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Tenant } from "../isolation/world.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let other: TestServer
let tenant: Tenant

beforeAll(async () => {
  server = await startServer({ workers: false })
  other = await startServer({ workers: false, beside: server })
  tenant = await Tenant.make(server)
})
afterAll(async () => {
  await other.close()
  await server.close()
})

interface List {
  readonly path: string
  /** A write that changes every page. Default: another `put`. */
  readonly change?: () => Promise<unknown>
}

interface Case {
  readonly name: string
  /** Adds `count` rows at the front of the list. */
  readonly put: (list: List, count: number) => Promise<unknown>
  readonly make: () => Promise<List> | List
  /** For a list without the parameter `limit`. */
  readonly pageSize?: number
  readonly body?: object
}

const run = (text: string, ...values: ReadonlyArray<unknown>) =>
  server.sql(text, [tenant.organization.organizationId, ...values])

/** A millisecond apart, later than all earlier ones. */
const at = "clock_timestamp() + n * interval '1 ms'"
const numbers = (count: number) => `generate_series(1, ${count}) as n`
const idIn = (path: string, after: string) => new RegExp(`/${after}/([^/?]+)`).exec(path)![1]

const putVisitors = async (_: List, count: number) => {
  await run(
    `with seen as (
       select gen_random_uuid() as id, encode(sha256(gen_random_uuid()::text::bytea), 'hex') as hash,
         date_trunc('milliseconds', ${at}) - interval '1 hour' as moment from ${numbers(count)}
     ), people as (
       insert into visitor (organization_id, id, email_hash, first_seen_at, last_seen_at)
       select $1, id, hash, moment, moment from seen
     )
     insert into visitor_pixel
       (organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at)
     select $1, id, $2, hash, moment, moment from seen`,
    tenant.organization.pixelId,
  )
}

const cases: ReadonlyArray<Case> = [
  {
    name: "visitors",
    make: () => ({ path: "/v1/data?timeframe=30d" }),
    pageSize: 50,
    put: putVisitors,
  },
  {
    name: "visitors of a pixel",
    make: () => ({ path: `/v1/data?timeframe=30d&pixelId=${tenant.organization.pixelId}` }),
    pageSize: 50,
    put: putVisitors,
  },
  {
    name: "visitors that qualify",
    make: () => ({ path: "/v1/data/query" }),
    body: {
      ruleAst: {
        version: 1,
        rule: { field: "behavior.sessions", op: "gte", value: 0 },
      },
    },
    put: putVisitors,
  },
  {
    name: "suppression rules",
    make: () => ({
      path: "/v1/data/suppression-rules",
      change: () =>
        tenant.ask("PUT", "/v1/data/suppression-rules", {
          rules: ["a", "b", "c", "d", "e"].map((name) => ({
            type: "domain",
            value: `${name}.new.example`,
          })),
        }),
    }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.suppressionRule()
    },
  },
  {
    name: "suppression rules with a text",
    make: () => ({
      path: "/v1/data/suppression-rules?q=example",
      change: () =>
        tenant.ask("PUT", "/v1/data/suppression-rules", {
          rules: ["f", "g", "h", "i", "j"].map((name) => ({
            type: "domain",
            value: `${name}.new.example`,
          })),
        }),
    }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.suppressionRule()
    },
  },
  {
    name: "segments",
    make: () => ({ path: "/v1/data/segments" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.segment(`Segment ${randomUUID()}`)
    },
  },
  {
    name: "history of a webhook",
    make: async () => ({ path: `/v1/data/webhooks/${await tenant.webhook()}/deliveries` }),
    put: ({ path }, count) =>
      run(
        `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
           status, completed_at, created_at)
         select $1, gen_random_uuid(), $2, 'visitor.identified', 'first_match', $3, 'succeeded', now(),
           ${at} from ${numbers(count)}`,
        idIn(path, "webhooks"),
        tenant.organization.pixelId,
      ),
  },
  {
    name: "site analyses",
    make: () => ({ path: "/v1/intent/site-topics" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.siteAnalysis()
    },
  },
  {
    name: "topic lists",
    make: () => ({ path: "/v1/intent/topic-lists" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.topicList(`Watched ${n}`)
    },
  },
  {
    name: "audiences",
    make: () => ({ path: "/v1/intent/audiences" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.audience()
    },
  },
  {
    name: "audiences of a status",
    make: () => ({
      path: "/v1/intent/audiences?status=draft",
      change: () =>
        run(`update audience set status = 'active' where organization_id = $1 and id in (
          select id from audience where organization_id = $1 and status = 'draft'
          order by created_at desc limit 2)`),
    }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.audience()
    },
  },
  {
    name: "runs",
    make: async () => ({
      path: `/v1/intent/audiences/${(await tenant.completedRun()).id}/runs`,
    }),
    put: ({ path }, count) =>
      run(
        `insert into audience_run (organization_id, id, audience_id, status, run_type, config, config_hash,
           topics, data_date, has_signals, idempotency_key, completed_at, created_at)
         select $1, gen_random_uuid(), $2, 'cancelled', 'manual', '{}', '', '[]', '2026-03-10', true,
           gen_random_uuid()::text, now(), ${at} from ${numbers(count)}`,
        idIn(path, "audiences"),
      ),
  },
  {
    name: "results",
    make: async () => {
      const { id, runId } = await tenant.completedRun(5)
      return {
        path: `/v1/intent/audiences/${id}/runs/${runId}/results`,
        // Does what an erasure does.
        change: () =>
          run(
            `with gone as (delete from run_result where organization_id = $1 and run_id = $2
               and position = 2)
             update audience_run set result_count = result_count - 1
             where organization_id = $1 and id = $2`,
            runId,
          ),
      }
    },
    put: async () => undefined,
  },
  {
    name: "exports",
    make: async () => {
      const { id, runId } = await tenant.completedRun()
      return { path: `/v1/intent/audiences/${id}/runs/${runId}/exports` }
    },
    put: ({ path }, count) =>
      run(
        `insert into run_export (organization_id, id, audience_id, run_id, file_name, status, created_at)
         select $1, gen_random_uuid(), $2, $3, 'buyers.csv', 'failed', ${at} from ${numbers(count)}`,
        idIn(path, "audiences"),
        idIn(path, "runs"),
      ),
  },
  {
    name: "deliveries",
    make: async () => {
      const { audienceId } = await tenant.deliverable()
      return { path: `/v1/intent/audiences/${audienceId}/deliveries` }
    },
    put: async ({ path }, count) => {
      const audienceId = idIn(path, "audiences")!
      const [destination] = await server.sql("select id from destination where audience_id = $1", [
        audienceId,
      ])
      for (let n = 0; n < count; n++) {
        await tenant.deliveryTo(audienceId, String(destination!["id"]), { status: "failed" })
      }
    },
  },
  {
    name: "contacts that failed",
    make: async () => {
      const { audienceId, destinationId } = await tenant.deliverable()
      const deliveryId = await tenant.deliveryTo(audienceId, destinationId, { status: "failed" })
      return { path: `/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures` }
    },
    put: ({ path }, count) =>
      run(
        `insert into delivery_failure (organization_id, delivery_id, hashed_email, error_code, attempts,
           last_attempt_at)
         select $1, $2, sha256(gen_random_uuid()::text::bytea), 'ENDPOINT_REJECTED', 1, ${at}
         from ${numbers(count)}`,
        idIn(path, "deliveries"),
      ),
  },
  {
    name: "organizations",
    make: () => ({ path: "/v1/organizations" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) {
        await tenant.ask("POST", "/v1/organizations", { name: "Other", slug: randomUUID() })
      }
    },
  },
  {
    name: "members",
    make: () => ({
      path: `/v1/organizations/${tenant.organization.organizationId}/members`,
    }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) {
        await server.makeUser("member", tenant.organization.organizationId)
      }
    },
  },
  {
    name: "API keys",
    make: () => ({ path: "/v1/api-keys" }),
    put: async (_, count) => {
      for (let n = 0; n < count; n++) await tenant.apiKey(`Key ${n}`)
    },
  },
]

interface Page {
  readonly rows: ReadonlyArray<unknown>
  readonly total: number | undefined
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

const reader =
  ({ body, pageSize }: Case, { path }: List) =>
  async (
    at: TestServer,
    position: ({ readonly page: number } | { readonly cursor: string }) & {
      readonly limit: number
    },
  ): Promise<Page> => {
    const { limit } = position
    const parameters = {
      ...(pageSize === undefined ? { limit } : {}),
      ...("cursor" in position
        ? { cursor: position.cursor }
        : pageSize === undefined && body === undefined
          ? { offset: (position.page - 1) * limit }
          : { page: position.page }),
    }
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const isData = path.startsWith("/v1/data")
    const response = await fetch(
      at.url + path + (body === undefined ? (path.includes("?") ? "&" : "?") + String(query) : ""),
      {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(isData
            ? { "x-api-key": tenant.organization.apiKey }
            : { authorization: `Bearer ${tenant.owner.accessToken}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify({ ...body, ...parameters }) }),
      },
    )
    const answer = (await response.json()) as {
      readonly data: Readonly<Record<string, unknown>>
      readonly meta: Omit<Page, "rows">
    }
    expect(response.status, JSON.stringify(answer)).toBe(200)
    const { data, meta } = answer
    return {
      rows: Array.isArray(data) ? data : Object.values(data).find(Array.isArray)!,
      total: (data["filteredTotal"] ?? data["total"] ?? meta.total) as number | undefined,
      hasMore: meta.hasMore,
      nextCursor: meta.nextCursor,
    }
  }

describe.each(cases)("$name", (kind) => {
  it("after a write every page by offset shows the current list, on every server", async () => {
    const list = await kind.make()
    const read = reader(kind, list)
    const limit = kind.pageSize ?? 2
    await kind.put(list, 2 * limit + 1)
    const pages = [1, 2, 3]
    for (const page of pages) await read(server, { page, limit })

    await (list.change?.() ?? kind.put(list, limit + 1))

    // From the last page to the first, because reading the first page again would reveal where the second one begins.
    const found = []
    const fresh = []
    for (const page of pages.toReversed()) {
      found.unshift(await read(server, { page, limit }))
      // This server has read no page of the list, so it remembers none.
      fresh.unshift(await read(other, { page, limit }))
    }
    const without = ({ nextCursor, ...page }: Page) => ({ ...page, hasCursor: nextCursor !== null })
    expect(found.map(without)).toEqual(fresh.map(without))
    expect(found[1]!.rows.length).toBeGreaterThan(0)
  })

  it("a last page that is exactly full has no next page, by cursor and by offset", async () => {
    const list = await kind.make()
    const read = reader(kind, list)
    const limit = kind.pageSize ?? 1
    if (kind.pageSize !== undefined) {
      await run("delete from visitor where organization_id = $1")
      await run("delete from visitor_pixel where organization_id = $1")
    }
    await kind.put(list, 2 * limit)

    let page = 1
    let last = await read(server, { page, limit })
    while (last.nextCursor !== null) {
      page += 1
      last = await read(server, { cursor: last.nextCursor, limit })
    }

    expect(page).toBeGreaterThan(1)
    expect([last.rows.length, last.hasMore]).toEqual([limit, false])
    for (const at of [server, other, server]) {
      expect(await read(at, { page, limit })).toEqual(last)
    }
  })
})
