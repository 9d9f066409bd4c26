// Audiences of a segment, alone and with topics: what is refused, who is found, and what runs, statistics, exports and
// deliveries have without scores (spec 2.8, 2.12, 2.13).
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { DailyRuns } from "../../src/intent/runs/daily/daily-runs.ts"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { contactEvent, DeliveryWorld } from "../deliveries/support.ts"
import { ask, completedRun, ended, makeAudience, onServices, startRun } from "../runs/support.ts"
import { exportCsv } from "../runs/exports/support.ts"
import { daysAgo, post, putSignals, putTopics, today } from "./support.ts"

let w: DeliveryWorld
let large: string

beforeAll(async () => {
  w = await DeliveryWorld.start()
  await putTopics(w.world.server, [5])
  for (const [name, employees, domain] of [
    ["ann", 500, "harbor.example"],
    ["bob", 300, "quayline.example"],
    ["cleo", 20, "harbor.example"],
  ] as const) {
    await putVisitor(name, { employees, domain })
  }
  await putSignals(w.world.server, w, [
    { email: "ann@mail.example", topicId: 5, score: 80 },
    { email: "cleo@mail.example", topicId: 5, score: 90 },
    { email: "stranger@mail.example", topicId: 5, score: 95 },
  ])
  large = await segment({ field: "company.employee_count", op: "gt", value: 200 })
})

afterAll(() => w.close())

const putVisitor = async (
  name: string,
  { domain, employees }: { readonly domain: string; readonly employees: number },
) => {
  const email = `${name}@mail.example`
  const id = randomUUID()
  await w.sql(
    `insert into visitor (organization_id, id, email, email_hash, email_domain, first_name,
       company_domain, company_employee_count, first_seen_at, last_seen_at)
     values ($1, $2, $3, $4, 'mail.example', $5, $6, $7, date_trunc('milliseconds', now()),
       date_trunc('milliseconds', now()))`,
    [w.organizationId, id, email, emailHashOf(email), name, domain, employees],
  )
  await w.sql(
    `insert into visitor_address (organization_id, email_hash, visitor_id, email, kind, first_seen_at)
     values ($1, $2, $3, $4, 'business', now())`,
    [w.organizationId, emailHashOf(email), id, email],
  )
  return id
}

const call = (operation: string, body?: unknown) => w.world.ask(operation, body)

const segment = async (rule: object, window = "all", subject = "people"): Promise<string> => {
  const body = { name: "Large companies", subject, ruleAst: { version: 1, window, rule } }
  const answer = await call("POST /v1/data/segments", body)
  expect(answer.status).toBe(201)
  const { id }: { readonly id: string } = answer.body.data
  return id
}

const preview = async (config: object) => {
  const { body } = await post(w.world.server, "preview", config)
  expect(body.error).toBeUndefined()
  return body.data as {
    readonly totalCount: number
    readonly dataDate: string
    readonly sample: ReadonlyArray<{ readonly email: string; readonly intentScore: number | null }>
  }
}

interface Person {
  readonly email: string
  readonly intent: { readonly score: number } | null
}

const resultsOf = async (run: { readonly audienceId: string; readonly id: string }) => {
  const path = `/${run.audienceId}/runs/${run.id}`
  const { data } = await ask<{ readonly results: ReadonlyArray<Person> }>(
    w.world.server,
    "GET",
    `${path}/results`,
  )
  const stats = await ask<{ readonly stats: object }>(w.world.server, "GET", `${path}/stats`)
  return { people: data.results, stats: stats.data.stats }
}

it("without topics everyone in the segment qualifies, without a score, as of today", async () => {
  const { dataDate, sample, totalCount } = await preview({ segmentId: large })

  expect({ dataDate, totalCount }).toEqual({ dataDate: today, totalCount: 2 })
  expect(sample).toEqual(
    sample.map((person) => ({ ...person, intentScore: null, topicId: null, masked: true })),
  )
  expect(sample.map(({ email }) => email).toSorted()).toEqual([
    "a***@mail.example",
    "b***@mail.example",
  ])
})

it("with topics a person must satisfy both", async () => {
  const both = await preview({ segmentId: large, topicIds: [5] })
  const topicsAlone = await preview({ topicIds: [5] })

  expect(both.sample).toMatchObject([{ email: "a***@mail.example", intentScore: 80, topicId: 5 }])
  expect(both.totalCount).toBe(1)
  expect(topicsAlone.totalCount).toBe(3)
})

it("filters and suppression apply to the people of a segment too", async () => {
  await w.sql(
    `insert into suppression_rule (organization_id, id, type, value, match_key, created_at,
       takes_part_at)
     values ($1, gen_random_uuid(), 'company_domain', 'quayline.example', 'quayline.example',
       now() - interval '1 day', now() - interval '1 day')`,
    [w.organizationId],
  )
  await w.sql(
    `insert into suppression_list (organization_id, cycle_at, changed_at) values ($1, now(), now())
     on conflict (organization_id) do update set cycle_at = now()`,
    [w.organizationId],
  )

  const left = await preview({ segmentId: large })
  await w.sql("delete from suppression_rule")
  const filtered = await preview({
    segmentId: large,
    filters: { companyDomain: "quayline.example" },
  })

  expect(left.sample.map(({ email }) => email)).toEqual(["a***@mail.example"])
  expect(filtered.sample.map(({ email }) => email)).toEqual(["b***@mail.example"])
})

it("a preview sees at once who enters the segment, although previews of topics are reused", async () => {
  const before = await preview({ segmentId: large })
  const id = await putVisitor("dora", { domain: "dora.example", employees: 900 })
  const after = await preview({ segmentId: large })
  await w.sql("delete from visitor_address where visitor_id = $1", [id])
  await w.sql("delete from visitor where id = $1", [id])

  expect([before.totalCount, after.totalCount]).toEqual([2, 3])
})

it("people outside the window of the segment do not qualify", async () => {
  const recent = await segment({ field: "company.employee_count", op: "gt", value: 200 }, "24h")
  await w.sql(
    "update visitor set last_seen_at = now() - interval '2 days' where first_name = 'bob'",
  )

  const found = await preview({ segmentId: recent })
  await w.sql(
    "update visitor set last_seen_at = date_trunc('milliseconds', now()) where first_name = 'bob'",
  )

  expect(found.sample.map(({ email }) => email)).toEqual(["a***@mail.example"])
})

it("a configuration without topics and segment is refused, and so is an unknown segment", async () => {
  const noOne = await post(w.world.server, "preview", { topicIds: [] })
  const unknown = randomUUID()
  const { organizationId, ...other } = await w.world.server.makeOrganization()
  const answers = await Promise.all([
    post(w.world.server, "preview", { segmentId: unknown }),
    post(w.world.server, "validate", { segmentId: unknown }),
    post({ ...w.world.server, ...other }, "preview", { segmentId: large }),
  ])

  expect(organizationId).not.toBe(w.organizationId)
  expect(noOne.body.error?.details?.issues).toEqual([
    {
      path: "/body/topicIds",
      code: "required",
      message: "Expected the ids of topics or a segmentId, received neither.",
    },
  ])
  for (const { body, status } of answers) {
    expect(status).toBe(400)
    expect(body.error?.details?.issues).toMatchObject([
      { path: "/body/segmentId", code: "unknown_segment" },
    ])
  }
  const created = await ask(w.world.server, "POST", "", {
    body: { name: "x", config: { segmentId: unknown } },
  })
  expect(created.error?.details?.["issues"]).toMatchObject([{ path: "/body/config/segmentId" }])
})

it("a segment of companies is refused wherever an audience takes a segment", async () => {
  const rule = { field: "company.employee_count", op: "gt", value: 200 }
  const segmentId = await segment(rule, "all", "companies")
  const audienceId = await makeAudience(w.world.server, { segmentId: large })
  const issue = (path: string) => ({
    path,
    code: "invalid_value",
    message: "Expected a segment of people, received one of companies.",
  })

  for (const verb of ["preview", "validate"]) {
    const { body, status } = await post(w.world.server, verb, { segmentId, topicIds: [5] })
    expect(status).toBe(400)
    expect(body.error?.details?.issues).toEqual([issue("/body/segmentId")])
  }
  for (const [method, path] of [
    ["POST", ""],
    ["PATCH", `/${audienceId}`],
  ] as const) {
    const refused = await ask(w.world.server, method, path, {
      body: { name: "x", config: { segmentId } },
    })
    expect(refused.error?.details?.["issues"]).toEqual([issue("/body/config/segmentId")])
  }
})

it("a run has no intent and no scores in its statistics and exports", async () => {
  const audienceId = await makeAudience(w.world.server, { segmentId: large })
  const run = await completedRun(w.world.server, audienceId)
  const { people, stats } = await resultsOf(run)
  const csv = await exportCsv(w.world.server, { audienceId, runId: run.id } as never)
  const [header, ...lines] = csv.text.trimEnd().split("\r\n")

  expect(run).toMatchObject({ dataDate: today, candidateCount: 2, resultCount: 2 })
  expect(people.map(({ email, intent }) => [email, intent])).toEqual(
    [
      ["ann@mail.example", null],
      ["bob@mail.example", null],
    ].toSorted(byHash),
  )
  expect(stats).toMatchObject({
    total: 2,
    scoreHistogram: [],
    averages: { score: null, topicOverlap: null },
    fillRates: { email: { count: 2, percent: 100 } },
  })
  expect(header!.endsWith("intent.score,intent.topicOverlap,intent.matchedTopics")).toBe(true)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).toMatch(/,,,("")?$/)
})

const byHash = ([one]: ReadonlyArray<unknown>, [other]: ReadonlyArray<unknown>) =>
  emailHashOf(String(one)) < emailHashOf(String(other)) ? -1 : 1

it("a run with topics too has the scores of those who satisfy both", async () => {
  const audienceId = await makeAudience(w.world.server, { segmentId: large, topicIds: [5] })
  const run = await completedRun(w.world.server, audienceId)
  const { people, stats } = await resultsOf(run)

  expect(run).toMatchObject({ candidateCount: 1, resultCount: 1 })
  expect(people).toMatchObject([{ email: "ann@mail.example", intent: { score: 80 } }])
  expect(stats).toMatchObject({ averages: { score: 80, topicOverlap: 1 } })
})

it("a delivery sends everyone once, without intent, and nothing when nothing has changed", async () => {
  const audienceId = await makeAudience(w.world.server, { segmentId: large })
  await completedRun(w.world.server, audienceId)
  const destination = await w.webhook({}, audienceId)
  const first = await w.delivered(destination)
  const run = await completedRun(w.world.server, audienceId)
  // Each completed run is delivered by itself.
  const [second] = await vi.waitFor(async () => {
    const found = await w.sql("select * from delivery where source_run_id = $1", [run.id])
    expect(found).toMatchObject([{ status: "completed" }])
    return found
  })

  expect(first).toMatchObject({ status: "completed", sentCount: 2 })
  expect(second).toMatchObject({ sent_count: 0, skipped_count: 0, failed_count: 0 })
  const sent = w.received(destination.path).map(({ body }) => JSON.parse(body))
  expect(
    sent
      .filter(({ event }) => event === contactEvent)
      .map(({ data }) => [data.contact.email, data.contact.intent])
      .toSorted(byHash),
  ).toEqual(
    [
      ["ann@mail.example", null],
      ["bob@mail.example", null],
    ].toSorted(byHash),
  )
})

it("a change of the segment takes effect with the next run", async () => {
  const changing = await segment({ field: "company.employee_count", op: "gt", value: 400 })
  const audienceId = await makeAudience(w.world.server, { segmentId: changing })
  const first = await completedRun(w.world.server, audienceId)
  const rule = { field: "company.employee_count", op: "gt", value: 10 }
  await call(`PATCH /v1/data/segments/${changing}`, {
    ruleAst: { version: 1, window: "all", rule },
  })
  const second = await completedRun(w.world.server, audienceId)

  expect([first.resultCount, second.resultCount]).toEqual([1, 3])
})

it("a segment that an audience uses can't be deleted, until the audience is deleted or changed", async () => {
  const used = await segment({ field: "contact.has_phone", op: "eq", value: false })
  const changed = await makeAudience(w.world.server, { segmentId: used }, { status: "draft" })
  const deleted = await makeAudience(w.world.server, { segmentId: used }, { status: "draft" })
  const refused = await call(`DELETE /v1/data/segments/${used}`)
  await ask(w.world.server, "PATCH", `/${changed}`, { body: { config: { topicIds: [5] } } })
  const refusedAgain = await call(`DELETE /v1/data/segments/${used}`)
  await ask(w.world.server, "DELETE", `/${deleted}`)

  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({
    code: "SEGMENT_IN_USE",
    message: "Used by 2 audiences. Change or delete them first.",
    details: { audienceIds: [changed, deleted], webhookIds: [] },
  })
  expect(refusedAgain.body.error.details).toEqual({ audienceIds: [deleted], webhookIds: [] })
  expect((await call(`DELETE /v1/data/segments/${used}`)).status).toBe(200)
})

it("of a deletion of the segment and a creation of an audience at once, one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    const contested = await segment({ field: "contact.has_phone", op: "eq", value: true })
    const [created, removed] = await Promise.all([
      ask<{ readonly id: string }>(w.world.server, "POST", "", {
        body: { name: "Contested", config: { segmentId: contested } },
      }),
      call(`DELETE /v1/data/segments/${contested}`),
    ])
    expect([`${created.status} ${removed.status}`]).toEqual([
      expect.stringMatching(/^(201 409|400 200)$/),
    ])
    if (created.status === 201) await ask(w.world.server, "DELETE", `/${created.data.id}`)
  }
})

it("a run whose segment was deleted after it was queued fails and says so", async () => {
  const audienceId = await makeAudience(w.world.server, { segmentId: large })
  await w.sql(
    `update audience set config = jsonb_set(config, '{segmentId}', to_jsonb($2::text)) where id = $1`,
    [audienceId, randomUUID()],
  )
  const run = await ended(w.world.server, await startRun(w.world.server, audienceId))

  expect(run).toMatchObject({
    status: "failed",
    errorCode: "CONFIG_INVALID",
    errorMessage: "The segment of this run was deleted before the run began.",
  })
})

it("without topics a daily run is due each day after the activation, whatever the date of the signals", async () => {
  const audienceId = await makeAudience(w.world.server, { segmentId: large })
  const look = () =>
    onServices(
      w.world.server,
      Effect.flatMap(DailyRuns, ({ start }) => start),
    )
  const daily = async () => {
    const { data } = await ask<
      ReadonlyArray<{ readonly runType: string; readonly dataDate: string }>
    >(w.world.server, "GET", `/${audienceId}/runs`)
    return data.filter(({ runType }) => runType === "daily").map(({ dataDate }) => dataDate)
  }

  await look()
  const onTheFirstDay = await daily()
  await w.sql("update audience set activated_at = $2 where id = $1", [audienceId, daysAgo(1)])
  await look()
  await look()

  expect(onTheFirstDay).toEqual([])
  expect(await daily()).toEqual([today])
})
