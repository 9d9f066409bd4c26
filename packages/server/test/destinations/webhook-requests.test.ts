// What a webhook destination sends: headers of its owner, the standard body, CloudEvents and templates (spec 2.15.9,
// 2.15.10, 8.2), in deliveries, tests and previews.
import { randomUUID } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { DeliveryWorld, eventTypes, people, person, status } from "../deliveries/support.ts"
import type { Destination } from "./support.ts"
import { startMailerProvider } from "./mailer-provider.ts"

let w: DeliveryWorld
const logged: Array<string> = []
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation((...words) => void logged.push(words.join(" ")))
  w = await DeliveryWorld.start()
})
afterEach(() => {
  w.receiver.answer = status(200)
})
afterAll(() => w.close())

const template = {
  email: "{{contact.email}}",
  note: "{{contact.firstName}} of {{contact.company.name}}, {{change}}",
  score: "{{contact.intent.score}}",
}

interface Preview {
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: string
}

type Issues = ReadonlyArray<{ readonly path: string; readonly code: string }>
const issuesOf = ({ body }: { readonly body: unknown }) => {
  const { error } = body as { readonly error: { readonly details: { readonly issues: Issues } } }
  return error.details.issues.map(({ code, path }) => `${path} ${code}`)
}
const create = (fields: object, audience: string) =>
  w.world.ask(`POST /v1/intent/audiences/${audience}/destinations`, {
    destinationType: "webhook",
    name: "CRM",
    url: w.receiver.url,
    eventTypes,
    ...fields,
  })
const settings = ({ webhook }: Destination) => ({
  headers: webhook!["headers"],
  body: webhook!["body"],
  template: webhook!["template"],
})
const bodyOf = (one: { readonly body: unknown }) => JSON.parse(String(one.body)) as unknown
const isSigned = (secret: string, { body, headers }: { body: unknown; headers: object }) => {
  new Webhook(secret).verify(String(body), headers as Record<string, string>)
  return true
}

describe("headers", () => {
  it("are sent with every event and every test, beside ours, signed as ever", async () => {
    const destination = await w.destination([person("jane")], {
      headers: { Authorization: "Bearer of-the-crm", "x-team": "  sales  " },
    })

    await w.delivered(destination)
    await w.world.get(`POST ${w.world.pathOf(destination)}/test`)

    const received = w.received(destination.path)
    expect(received).toHaveLength(4)
    for (const one of received) {
      expect(one.headers).toMatchObject({
        authorization: "Bearer of-the-crm",
        "x-team": "sales",
        "content-type": "application/json; charset=utf-8",
      })
      expect(isSigned(destination.secret, one)).toBe(true)
    }
  })

  it("show their names only, in no answer, log or table their values", async () => {
    const value = "Bearer not-to-be-seen-anywhere"
    const audience = await w.world.audience()
    const created = await create({ headers: { Authorization: value } }, audience)
    const { destination } = created.body.data as { readonly destination: Destination }
    const path = w.world.pathOf(destination)

    const answers = [
      created,
      await w.world.ask(`GET ${path}`),
      await w.world.ask(`PATCH ${path}`, { headers: { "x-key": value, "bad name": value } }),
      await w.world.ask(`PATCH ${path}`, { headers: { "x-key": `${value}\n` + "x".repeat(2000) } }),
      await w.world.ask(`PATCH ${path}`, { headers: { authorization: [value] } }),
      await w.world.ask(`PATCH ${path}`, { headers: { "x-key": value } }),
      await w.world.ask(`POST ${path}/test`),
      await w.world.ask(`POST /v1/intent/audiences/${audience}/destinations/preview`, {
        headers: { authorization: value },
      }),
      await w.world.ask(`GET /v1/intent/audiences/${audience}/destinations`),
    ]
    const tables = await w.sql(
      `select string_agg(query_to_xml(format('select * from %I', table_name), true, false, '')::text, '')
         as everything
       from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )

    expect(answers.map(({ status }) => status)).toEqual([
      201, 200, 400, 400, 400, 200, 200, 200, 200,
    ])
    expect(settings(await w.world.read(destination)).headers).toEqual(["authorization", "x-key"])
    const everywhere = [JSON.stringify(answers), ...logged, String(tables[0]!["everything"])]
    for (const text of everywhere) {
      expect(text).not.toContain("not-to-be-seen")
      expect(text).not.toContain(
        Buffer.from("not-to-be-seen-anywh").toString("base64").slice(0, 20),
      )
    }
  })

  it.each([
    ["content-type", "/body/headers/content-type format"],
    ["Content-Length", "/body/headers/Content-Length format"],
    ["HOST", "/body/headers/HOST format"],
    ["connection", "/body/headers/connection format"],
    ["transfer-encoding", "/body/headers/transfer-encoding format"],
    ["user-agent", "/body/headers/user-agent format"],
    ["webhook-signature", "/body/headers/webhook-signature format"],
    ["Webhook-Anything", "/body/headers/Webhook-Anything format"],
    ["expect", "/body/headers/expect format"],
    ["__proto__", "/body/headers/__proto__ format"],
    ["two words", "/body/headers/two words format"],
    ["x:y", "/body/headers/x:y format"],
    ["", "/body/headers/ format"],
  ])(
    "that signing or transport need, or that are no names, are refused: %s",
    async (name, issue) => {
      const audience = await w.world.audience()
      const headers = JSON.parse(`{${JSON.stringify(name)}:"1","x-fine":"1"}`) as object

      expect(issuesOf(await create({ headers }, audience))).toEqual([issue])
    },
  )

  it.each(["", "   ", "a\r\nb", "a\tb", "a\u007f", "a\u0085b", "ž", "x".repeat(2_001)])(
    "with a value that can't be sent are refused: %j",
    async (value) => {
      const audience = await w.world.audience()

      expect(issuesOf(await create({ headers: { "x-a": value } }, audience))).toEqual([
        "/body/headers/x-a format",
      ])
    },
  )

  it("are refused twice in different case, and beyond 20, also by a change", async () => {
    const audience = await w.world.audience()
    const many = (count: number, prefix: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`${prefix}-${place}`, "1"]))
    const destination = await w.world.webhook({ headers: many(20, "x") }, audience)

    expect(issuesOf(await create({ headers: { "X-A": "1", "x-a": "2" } }, audience))).toEqual([
      "/body/headers/x-a format",
    ])
    expect(issuesOf(await create({ headers: many(21, "x") }, audience))).toEqual([
      "/body/headers max_items",
    ])
    expect(issuesOf(await w.world.patch(destination, { headers: { more: "1" } }))).toEqual([
      "/body/headers max_items",
    ])
    const swapped = await w.world.changed(destination, { headers: { more: "1", "x-0": null } })
    expect(settings(swapped).headers).toHaveLength(20)
  })

  it("that a change leaves out stay; it replaces those with a value and removes those with null", async () => {
    const destination = await w.destination([person("jane")], {
      headers: { "x-a": "1", "x-b": "2", "x-c": "3" },
    })
    const changed = await w.world.changed(destination, {
      headers: { "X-B": "new", "x-c": null, "x-never": null, "x-d": "4" },
      status: "active",
    })

    await w.delivered(destination)

    expect(settings(changed).headers).toEqual(["x-a", "x-b", "x-d"])
    const { headers } = w.received(destination.path)[0]!
    expect(headers).toMatchObject({ "x-a": "1", "x-b": "new", "x-d": "4" })
    expect(headers).not.toHaveProperty("x-c")
    const bare = await w.world.changed(destination, {
      headers: { "x-a": null, "x-b": null, "x-d": null },
    })
    expect(settings(bare).headers).toEqual([])
    expect(await w.sql("select headers from destination where id = $1", [destination.id])).toEqual([
      { headers: null },
    ])
  })

  it("are approved with their values: another value makes a draft, the same one changes nothing", async () => {
    const destination = await w.webhook({ headers: { "x-a": "1" } })
    const before = await w.world.read(destination)

    const same = await w.world.changed(destination, { headers: { "X-A": "1" } })
    const other = await w.world.changed(destination, { headers: { "x-a": "2" } })
    const back = await w.world.changed(destination, { headers: { "x-a": "1" }, status: "active" })

    expect(same).toEqual(before)
    expect(other).toMatchObject({ status: "draft", approvedConfigHash: null })
    expect(back).toMatchObject({
      status: "active",
      approvedConfigHash: before.approvedConfigHash,
      configRevision: 3,
    })
  })

  it("of two destinations with the same value have hashes that do not tell so", async () => {
    const rows = await Promise.all(
      ["1", "1"].map(async (value) => {
        const { id } = await w.world.webhook({ headers: { "x-a": value } })
        const [row] = await w.sql(
          "select config -> 'headers' as kept from destination where id = $1",
          [id],
        )
        return JSON.stringify(row)
      }),
    )

    expect(rows[0]).not.toBe(rows[1])
  })

  it("changed at the same time are all kept", async () => {
    const destination = await w.world.webhook({ url: w.receiver.url })
    const names = Array.from({ length: 8 }, (_, place) => `x-${place}`)

    await Promise.all(
      names.map((name) => w.world.changed(destination, { headers: { [name]: name } })),
    )

    expect(settings(await w.world.read(destination)).headers).toEqual(names)
    const before = w.receiver.received.length
    await w.world.get(`POST ${w.world.pathOf(destination)}/test`)
    const sent = w.receiver.received[before]!.headers as Record<string, unknown>
    expect(names.map((name) => sent[name])).toEqual(names)
  })

  it("are deleted with the destination, at once", async () => {
    const destination = await w.world.webhook({ headers: { "x-a": "1" } })
    await w.world.get(`DELETE ${w.world.pathOf(destination)}`)

    expect(await w.sql("select headers from destination where id = $1", [destination.id])).toEqual([
      { headers: null },
    ])
  })
})

describe("the body cloudevents", () => {
  it("sends each event as a structured CloudEvent, signed", async () => {
    const destination = await w.destination([person("jane")], { body: "cloudevents" })

    await w.delivered(destination)

    const received = w.received(destination.path)
    expect(received.map((one) => (bodyOf(one) as { type: string }).type)).toEqual(eventTypes)
    for (const one of received) {
      expect(one.headers["content-type"]).toBe("application/cloudevents+json")
      expect(bodyOf(one)).toEqual({
        specversion: "1.0",
        id: one.headers["webhook-id"],
        source: `/v1/organizations/${w.organizationId}`,
        type: expect.stringMatching(/^intent\.audience\./),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        datacontenttype: "application/json",
        apiversion: "v1",
        organizationid: w.organizationId,
        data: expect.objectContaining({
          audience: { id: destination.audienceId, name: "Warehouse buyers" },
        }),
      })
      expect(isSigned(destination.secret, one)).toBe(true)
    }
    expect(bodyOf(received[1]!)).toMatchObject({
      data: { change: "added", contact: { email: "jane@harbor.example" } },
    })
  })
})

describe("the body template", () => {
  it("sends each contact as the template says, and the other events as they are", async () => {
    const people = [person("jane", { companyName: "Harbor" }), person('"q"\\\n{{change}}')]
    const destination = await w.destination(people, { body: "template", template })

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
    const [started, ...rest] = w.received(destination.path)
    const completed = rest.pop()!
    expect(bodyOf(started!)).toMatchObject({ event: "intent.audience.sync.started" })
    expect(bodyOf(completed)).toMatchObject({ event: "intent.audience.sync.completed" })
    expect(rest.map(bodyOf)).toEqual(
      expect.arrayContaining([
        { email: "jane@harbor.example", note: "jane of Harbor, added", score: 91 },
        {
          email: '"q"\\\n{{change}}@harbor.example',
          note: '"q"\\\n{{change}} of , added',
          score: 91,
        },
      ]),
    )
    for (const one of rest) expect(isSigned(destination.secret, one)).toBe(true)
  })

  it("is kept as it was sent, and approved: another template makes a draft", async () => {
    const destination = await w.webhook({ body: "template", template })
    const before = await w.world.read(destination)
    const reordered = Object.fromEntries(Object.entries(template).toReversed())

    expect(settings(before)).toEqual({ headers: [], body: "template", template })
    expect(Object.keys(before.webhook!["template"] as object)).toEqual(Object.keys(template))
    expect(await w.world.changed(destination, { template: reordered })).toMatchObject({
      status: "active",
      approvedConfigHash: before.approvedConfigHash,
    })
    expect(await w.world.changed(destination, { template: { a: 1 } })).toMatchObject({
      status: "draft",
    })
  })

  it("is required with the body template and refused with another, in requests and changes", async () => {
    const audience = await w.world.audience()
    const standard = await w.world.webhook({}, audience)
    const templated = await w.world.webhook({ body: "template", template }, audience)

    expect(issuesOf(await create({ body: "template" }, audience))).toEqual([
      "/body/template required",
    ])
    expect(issuesOf(await create({ template }, audience))).toEqual(["/body/template unknown_field"])
    expect(issuesOf(await create({ body: "cloudevents", template }, audience))).toEqual([
      "/body/template unknown_field",
    ])
    expect(issuesOf(await w.world.patch(standard, { body: "template" }))).toEqual([
      "/body/template required",
    ])
    expect(issuesOf(await w.world.patch(standard, { template }))).toEqual([
      "/body/template unknown_field",
    ])
    expect(issuesOf(await w.world.patch(templated, { template: { a: "{{b}}" } }))).toEqual([
      "/body/template/a format",
    ])
    expect(issuesOf(await w.world.patch(templated, { template: [1] }))).toEqual([
      "/body/template type",
    ])
    expect(settings(await w.world.changed(templated, { body: "standard" }))).toEqual({
      headers: [],
      body: "standard",
      template: null,
    })
    expect(issuesOf(await w.world.patch(templated, { body: "template" }))).toEqual([
      "/body/template required",
    ])
  })

  it("fails a contact whose body is too long even with shortened texts, and sends the others", async () => {
    const long = "ž".repeat(1_000)
    const repeated = Array.from({ length: 80 }, () => "{{contact.headline}}")
    const destination = await w.destination(
      [person("jane", { headline: long }), person("john", { headline: "short" })],
      { body: "template", template: { repeated } },
    )

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", sentCount: 1, failedCount: 1 })
    expect(await w.failures(delivery)).toMatchObject([
      { errorCode: "CONTACT_INVALID", errorMessage: expect.stringContaining("20 KB") },
    ])
  })

  it("is what the payload of a failed contact shows", async () => {
    w.receiver.answer = (one, response) => status("event" in one.event ? 200 : 422)(one, response)
    const destination = await w.destination([person("jane")], { body: "template", template })
    const delivery = await w.delivered(destination)
    const [failed] = await w.failures(delivery)

    const { failure } = await w.world.get<{ readonly failure: { readonly payload: unknown } }>(
      `GET ${w.pathOf(delivery)}/failures/${failed!.hashedEmail}`,
    )

    expect(failure.payload).toEqual({
      email: "jane@harbor.example",
      note: "jane of , added",
      score: 91,
    })
  })

  it("and headers are refused for an automation", async () => {
    const provider = await startMailerProvider()
    provider.addList({ id: "buyers" })
    const account = await w.world.account(provider)
    const destination = await w.world.automation(account.id)
    await provider.close()

    const refused = await w.world.patch(destination, { headers: {}, body: "standard", template })

    expect(issuesOf(refused)).toEqual([
      "/body/headers unknown_field",
      "/body/body unknown_field",
      "/body/template unknown_field",
    ])
  })
})

it("a test call sends the sample in the destination's body", async () => {
  const destination = await w.webhook({ body: "template", template, eventTypes: [eventTypes[1]] })

  await w.world.get(`POST ${w.world.pathOf(destination)}/test`)

  const [one] = w.received(destination.path)
  expect(one!.headers).toMatchObject({ "webhook-test": "true" })
  expect(bodyOf(one!)).toEqual({
    email: "sam.sample@footfall-test.example",
    note: "Sam of Footfall Test, added",
    score: 90,
  })
})

describe("a preview", () => {
  const preview = (audience: string, body?: unknown) =>
    w.world.ask(`POST /v1/intent/audiences/${audience}/destinations/preview`, body)
  const requestOf = ({ body }: Awaited<ReturnType<typeof preview>>) =>
    (body.data as { readonly request: Preview }).request

  it("shows what a delivery would send, and neither sends nor stores anything", async () => {
    const audience = await w.world.audience()
    const before = w.receiver.received.length

    const shown = await preview(audience, {
      headers: { "X-Team": "sales" },
      body: "template",
      template,
    })

    expect(shown.status).toBe(200)
    expect(requestOf(shown)).toEqual({
      eventType: "intent.audience.contact.upserted",
      headers: {
        "x-team": null,
        "content-type": "application/json; charset=utf-8",
        "user-agent": expect.stringMatching(/^footfall-webhooks\//),
        "webhook-attempt": "1",
        "webhook-id": expect.stringMatching(/^msg_/),
        "webhook-signature": null,
        "webhook-timestamp": expect.stringMatching(/^\d+$/),
      },
      body: '{"email":"sam.sample@footfall-test.example","note":"Sam of Footfall Test, added","score":90}',
    })
    expect(w.receiver.received.length).toBe(before)
    expect(await w.sql("select from destination where audience_id = $1", [audience])).toEqual([])
  })

  it("shows the standard event without a body, and any event as a CloudEvent", async () => {
    const audience = await w.world.audience()
    const standard = await preview(audience)
    const cloud = await preview(audience, { eventType: eventTypes[0], body: "cloudevents" })

    expect(JSON.parse(requestOf(standard).body)).toMatchObject({
      event: eventTypes[1],
      data: { audience: { id: audience, name: "Warehouse buyers" } },
    })
    expect(requestOf(cloud).headers["content-type"]).toBe("application/cloudevents+json")
    expect(JSON.parse(requestOf(cloud).body)).toMatchObject({ type: eventTypes[0] })
  })

  it("refuses what saving refuses, with the same paths", async () => {
    const audience = await w.world.audience()
    const wrong = {
      headers: { host: "x" },
      body: "template",
      template: { a: { b: "{{contact.x}}" } },
    }

    expect(issuesOf(await preview(audience, wrong))).toEqual(
      issuesOf(await create(wrong, audience)),
    )
    expect(issuesOf(await preview(audience, wrong))).toEqual([
      "/body/headers/host format",
      "/body/template/a/b format",
    ])
  })

  it("is 404 for an unknown audience", async () => {
    expect((await preview(randomUUID())).status).toBe(404)
  })
})

it("a configuration approved before 0.3 stays approved and is sent as before", async () => {
  const destination = await w.destination(people(1))
  const [row] = await w.sql("select config from destination where id = $1", [destination.id])

  await w.delivered(destination)

  expect(Object.keys(row!["config"] as object).toSorted()).toEqual([
    "eventTypes",
    "timeoutMs",
    "url",
  ])
  expect(w.contacts(destination.path)).toHaveLength(1)
})
