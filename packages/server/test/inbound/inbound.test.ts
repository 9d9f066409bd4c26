// Inbound sources from the API to the visitor list (spec 15.3, 5.22).
import { createHmac, randomUUID } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { advisoryLocks } from "../../src/platform/database/advisory-locks.ts"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { askAs, makeVendor, person } from "./vendor.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe("a source", () => {
  it("shows its URL when it is created, and never again", async () => {
    const vendor = await makeVendor(server)
    expect(vendor.created.status).toBe(201)
    expect(vendor.created.body.data.url).toMatch(/\/in\/in_[0-9A-Za-z]{43}$/)
    const token = vendor.url.split("/").at(-1)!
    for (const path of ["/v1/data/inbound", vendor.path, `${vendor.path}/history`]) {
      const { body, status } = await vendor.ask("GET", path)
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(token)
    }
    expect((await vendor.ask("GET", vendor.path)).body.data.last4).toBe(token.slice(-4))
    const rows = await server.sql("select * from inbound_source where id = $1", [vendor.id])
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it("is refused as the 21st of an organization, and possible once one is deleted", async () => {
    const vendor = await makeVendor(server)
    const { ask, pixelId } = vendor
    const body = { name: "RB2B", pixelId, preset: "rb2b" }
    for (let at = 1; at < 20; at++)
      expect((await ask("POST", "/v1/data/inbound", body)).status).toBe(201)

    const refused = await ask("POST", "/v1/data/inbound", body)
    expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"])
    await ask("DELETE", vendor.path)
    expect((await ask("POST", "/v1/data/inbound", body)).status).toBe(201)
  })

  it.each([
    [{ preset: "generic" }, "/body/mapping"],
    [{ signingSecret: "x" }, "/body/signingSecret"],
    [{ mapping: { kind: "person", fields: { nope: "$.a" } } }, "/body/mapping/fields/nope"],
    [{ mapping: { kind: "person", each: "x", fields: {} } }, "/body/mapping/each"],
    [{ preset: "unknown" }, "/body/preset"],
    [{ name: "" }, "/body/name"],
  ])("%j is 400 and names the field", async (change, path) => {
    const { ask, pixelId } = await makeVendor(server)
    const answer = await ask("POST", "/v1/data/inbound", {
      name: "x",
      pixelId,
      preset: "rb2b",
      ...change,
    })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues[0].path).toBe(path)
  })

  it("works at its former URL for the grace of a rotation, and not at the one before", async () => {
    const vendor = await makeVendor(server)
    const first = vendor.url
    const rotate = async (graceHours?: number) => {
      const { body } = await vendor.ask("POST", `${vendor.path}/rotate`, { graceHours })
      vendor.token = body.data.url.split("/").at(-1)
      return body.data.inbound
    }
    const status = async (url: string) => (await fetch(url)).status
    expect((await rotate()).formerUrlUntil).not.toBeNull()
    const second = vendor.url
    expect([await status(first), await status(second)]).toEqual([200, 200])

    expect((await rotate(0)).formerUrlUntil).toBeNull()
    await expect.poll(() => status(second), { timeout: 30_000 }).toBe(404)
    await expect.poll(() => status(first), { timeout: 30_000 }).toBe(404)
    expect(await status(vendor.url)).toBe(200)
    expect((await vendor.ask("POST", `${vendor.path}/rotate`, { graceHours: 73 })).status).toBe(400)
  })

  it("stops working when it is deleted, and when its pixel is", async () => {
    const [one, other] = [await makeVendor(server), await makeVendor(server)]
    await one.ask("DELETE", one.path)
    await other.ask("DELETE", `/v1/data/pixels/${other.pixelId}`)

    for (const { send } of [one, other]) {
      await expect.poll(async () => (await send(person())).status, { timeout: 30_000 }).toBe(404)
    }
  })

  it("writes an audit entry for each change", async () => {
    const vendor = await makeVendor(server)
    await vendor.ask("PATCH", vendor.path, { name: "Renamed" })
    await vendor.ask("POST", `${vendor.path}/rotate`, {})
    await vendor.ask("DELETE", vendor.path)
    const entries = await server.sql(
      "select action from audit_entry where target_id = $1 order by action",
      [vendor.id],
    )
    expect(entries.map(({ action }) => action)).toEqual([
      "inbound.created",
      "inbound.deleted",
      "inbound.rotated",
      "inbound.updated",
    ])
  })
})

describe("a request", () => {
  it("is answered with how many records were received, in the envelope", async () => {
    const { outcomes, send } = await makeVendor(server)
    const { body, headers, status } = await send([person(), person(), { Tags: "x" }, 5])

    expect([status, body.data]).toEqual([200, { accepted: 4 }])
    expect(body.meta.request_id).toBe(headers.get("x-request-id"))
    expect(await outcomes()).toEqual({ person: 2, rejected: 2 })
  })

  it("may be a form", async () => {
    const { send, visitors } = await makeVendor(server)
    const { body } = await send(
      new URLSearchParams({ "Business Email": "form@harbor.example", Title: "CEO" }).toString(),
      { "content-type": "application/x-www-form-urlencoded" },
    )
    expect(body.data).toEqual({ accepted: 1 })
    expect(await visitors()).toEqual([
      expect.objectContaining({ email: "form@harbor.example", jobTitle: "CEO" }),
    ])
  })

  it("GET and HEAD answer 200 for a known token, and 404 for another", async () => {
    const { url } = await makeVendor(server)
    const status = async (method: string, at: string) => (await fetch(at, { method })).status
    const unknown = url.replace(/.{4}$/, "AAAA")
    expect(await Promise.all([status("GET", url), status("HEAD", url)])).toEqual([200, 200])
    expect(await Promise.all([status("GET", unknown), status("HEAD", unknown)])).toEqual([404, 404])
    expect(await status("PUT", url)).toBe(405)
  })

  it.each([
    ["no JSON", "{", {}, 400],
    ["a text", '"x"', {}, 400],
    ["another type", "x", { "content-type": "text/plain" }, 415],
    ["a compressed one", "x", { "content-encoding": "gzip" }, 415],
    ["more than 1 MiB", JSON.stringify({ a: "x".repeat(1_048_576) }), {}, 413],
    ["more than 500 records", JSON.stringify(Array.from({ length: 501 }, () => ({}))), {}, 413],
  ])("%s is refused in the envelope", async (_, body, headers, status) => {
    const { send } = await makeVendor(server)
    const answer = await send(body, headers)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toMatch(/\.$/)
  })

  it("with 500 records is taken whole, and none is nothing", async () => {
    const { outcomes, send } = await makeVendor(server)
    const records = Array.from({ length: 500 }, () => person())
    expect((await send(records)).body.data).toEqual({ accepted: 500 })
    expect((await send([])).body.data).toEqual({ accepted: 0 })
    expect(await outcomes()).toEqual({ person: 500 })
  })

  it("with a text that Postgres can't store loses no other record", async () => {
    const { outcomes, send, visitors } = await makeVendor(server)
    const records = [
      person({ "Business Email": "half\ud800@harbor.example", Website: null }),
      person({ "Business Email": "odd@harbor.example", Title: "C\ud800E\0O", "C\0": "\udc00" }),
      person({ "Captured URL": "https://x.example/\ud800\0?utm_source=%00", Tags: "\0" }),
      ...Array.from({ length: 20 }, () => person()),
    ]
    expect((await send(records)).body.data).toEqual({ accepted: 23 })
    expect(await outcomes()).toEqual({ person: 22, rejected: 1 })
    const odd = (await visitors()).find(({ email }) => email === "odd@harbor.example")
    expect(odd).toMatchObject({ jobTitle: "C\ufffdEO" })
  })

  it("may be a form with 100,000 fields", async () => {
    const { outcomes, send } = await makeVendor(server)
    const fields = Array.from({ length: 100_000 }, (_, at) => `f${at}`).join("&")
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    expect((await send(fields, headers)).body.data).toEqual({ accepted: 1 })
    expect(await outcomes()).toEqual({ rejected: 1 })
  })

  it("to a paused source or site is answered, and nothing is kept", async () => {
    const vendor = await makeVendor(server, { status: "paused" })
    expect((await vendor.send(person())).body.data).toEqual({ accepted: 1 })
    await vendor.ask("PATCH", vendor.path, { status: "active" })
    await vendor.ask("PATCH", `/v1/data/pixels/${vendor.pixelId}`, { status: "paused" })
    expect((await vendor.send(person())).status).toBe(200)

    expect(await vendor.history()).toEqual([])
    expect(await vendor.visitors()).toEqual([])
  })

  it("above the limit of its source is 429 with Retry-After, and others are not held", async () => {
    const limited = await startServer({ rateLimits: true, beside: server })
    const [one, other] = [await makeVendor(limited), await makeVendor(limited)]
    await one.send(person())
    await server.sql("update rate_limit set used = 15000 where bucket = $1", [`inbound:${one.id}`])

    const { headers, status } = await one.send(person())
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true])
    expect((await other.send(person())).status).toBe(200)
    await limited.close()
  })

  it("waits for an erasure without holding the requests of other organizations", async () => {
    const [one, other] = [await makeVendor(server), await makeVendor(server)]
    await one.send(person())
    await one.history()
    const erasing = new pg.Client({ connectionString: server.databaseUrl })
    await erasing.connect()
    await erasing.query("begin")
    await erasing.query("select pg_advisory_xact_lock($1, hashtext($2))", [
      advisoryLocks.inbound,
      one.organizationId,
    ])
    const replies = await Promise.all(Array.from({ length: 60 }, () => one.send(person())))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await other.send(person())
    const taken = () => server.sql("select from inbound_request where source_id = $1", [other.id])
    await expect.poll(taken, { timeout: 5_000 }).toHaveLength(1)

    await erasing.query("commit")
    await erasing.end()
    expect(await one.outcomes()).toEqual({ person: 61 })
  })

  it("must be signed if the source has a secret, and the former one is good after a change", async () => {
    const vendor = await makeVendor(server, { preset: "tally", signingSecret: "first" })
    const body = JSON.stringify({ eventId: randomUUID(), data: { fields: [] } })
    const signed = (secret: string) => ({
      "tally-signature": createHmac("sha256", secret).update(body).digest("base64"),
    })
    expect((await vendor.send(body)).status).toBe(401)
    expect((await vendor.send(body, signed("wrong"))).status).toBe(401)
    expect((await vendor.send(body, signed("first"))).status).toBe(200)

    await vendor.ask("PATCH", vendor.path, { signingSecret: "second" })
    await expect
      .poll(async () => (await vendor.send(body, signed("second"))).status, { timeout: 30_000 })
      .toBe(200)
    expect((await vendor.send(body, signed("first"))).status).toBe(200)
    await server.sql("update inbound_source set former_secret_until = now() where id = $1", [
      vendor.id,
    ])
    await expect
      .poll(async () => (await vendor.send(body, signed("first"))).status, { timeout: 30_000 })
      .toBe(401)

    // The keys of the installation were replaced: no one but the vendor's own secret may get in, and no other source is held.
    await server.sql("update inbound_source set secret = '\\x00' where id = $1", [vendor.id])
    const restarted = await startServer({ beside: server })
    const other = await makeVendor(restarted)
    const unopened = vendor.url.replace(server.url, restarted.url)
    const { status } = await fetch(unopened, { method: "POST", body })
    expect([status, (await other.send(person())).status]).toEqual([401, 200])
    await restarted.close()

    await vendor.ask("PATCH", vendor.path, { signingSecret: null })
    await expect.poll(async () => (await vendor.send(body)).status, { timeout: 30_000 }).toBe(200)
    const rows = await server.sql("select * from inbound_source where id = $1", [vendor.id])
    expect(JSON.stringify(rows)).not.toContain("second")
  })
})

describe("a record", () => {
  it("with an address is an identification and a page view at its time", async () => {
    const { domain, events, send, visitors } = await makeVendor(server)
    await send(
      person({
        "Business Email": "jane@harbor.example",
        "Captured URL": `https://${domain}/pricing?utm_source=newsletter`,
        Referrer: "https://www.google.com/",
        "Seen At": new Date(Date.now() - 3_600_000).toISOString(),
      }),
    )
    expect(await visitors()).toEqual([
      expect.objectContaining({
        email: "jane@harbor.example",
        firstName: "Jane",
        companyName: "Harbor Logistics",
        companyEmployeeCount: 51,
      }),
    ])
    const [identify, page] = await events()
    expect([identify!["type"], page!["type"], page!["url"]]).toEqual([
      "identify",
      "page",
      `https://${domain}/pricing`,
    ])
    expect((page!["payload"] as { u: object }).u).toEqual({ source: "newsletter" })
    expect(Date.now() - (page!["occurred_at"] as Date).getTime()).toBeGreaterThan(3_500_000)
  })

  it("without an address is a visit of its company, and no person", async () => {
    const { companies, domain, outcomes, send, visitors } = await makeVendor(server)
    await send(person({ "Business Email": null, "Captured URL": `https://${domain}/` }))
    await send(person({ "Business Email": null, Website: "quay.example", "Company Name": "Quay" }))

    expect(await visitors()).toEqual([])
    expect((await companies()).map((one) => [one["domain"], one["name"]]).toSorted()).toEqual([
      ["harbor.example", "Harbor Logistics"],
      ["quay.example", "Quay"],
    ])
    expect(await outcomes()).toEqual({ company: 2 })
  })

  it("about a page elsewhere, or older than retention, leaves the identification alone", async () => {
    const { domain, events, organizationId, send } = await makeVendor(server)
    await server.sql("update organization set retention_days = 30 where id = $1", [organizationId])
    await send([
      person({ "Captured URL": "https://elsewhere.example/pricing" }),
      person({ "Captured URL": `https://${domain}/`, "Seen At": "2020-01-01T00:00:00Z" }),
    ])
    const all = await events()
    expect(all.map(({ type }) => type)).toEqual(["identify", "identify"])
    for (const { occurred_at: at } of all) {
      expect((at as Date).getTime()).toBeGreaterThan(Date.now() - 3_600_000)
    }
  })

  it("with a time that is unreadable or to come is of now", async () => {
    const { domain, events, send } = await makeVendor(server)
    const page = { "Captured URL": `https://${domain}/` }
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    await send([
      person({ ...page, "Seen At": "yesterday" }),
      person({ ...page, "Seen At": tomorrow }),
    ])
    const pages = (await events()).filter(({ type }) => type === "page")
    expect(pages).toHaveLength(2)
    for (const { occurred_at: at } of pages) {
      expect(Math.abs((at as Date).getTime() - Date.now())).toBeLessThan(3_600_000)
    }
  })

  it("of a booking is a custom event of each attendee", async () => {
    const { events, send, visitors } = await makeVendor(server, { preset: "calcom" })
    const { body } = await send({
      triggerEvent: "BOOKING_CREATED",
      createdAt: new Date().toISOString(),
      payload: {
        uid: randomUUID(),
        organizer: { email: "sales@tidewater.example" },
        attendees: [
          { email: "ada@acme.example", name: "Ada Byron" },
          { email: "bob@acme.example", name: "Bob" },
        ],
      },
    })
    expect(body.data).toEqual({ accepted: 2 })
    expect((await visitors()).map(({ email }) => email).toSorted()).toEqual([
      "ada@acme.example",
      "bob@acme.example",
    ])
    const named = (await events()).flatMap(({ payload, type }) =>
      type === "track" ? [(payload as { n: string }).n] : [],
    )
    expect(named).toEqual(["booking_created", "booking_created"])
  })

  it("does not verify the site's script", async () => {
    const { domain, events, pixelId, send } = await makeVendor(server)
    await send(person({ "Captured URL": `https://${domain}/` }))
    await events()
    const [pixel] = await server.sql("select verified_at from pixel where id = $1", [pixelId])
    expect(pixel!["verified_at"]).toBeNull()
  })
})

describe("consent", () => {
  it("`pixel` lets records pass only where the pixel's own consent is granted", async () => {
    const vendor = await makeVendor(server, { consent: "pixel" })
    await vendor.send(person())
    expect(await vendor.outcomes()).toEqual({ dropped: 1 })

    await vendor.ask("PATCH", `/v1/data/pixels/${vendor.pixelId}`, {
      settings: { consent: "granted" },
    })
    await vendor.send(person())
    expect(await vendor.outcomes()).toEqual({ dropped: 1, person: 1 })
  })

  it("of a pixel that is denied drops everything", async () => {
    const vendor = await makeVendor(server)
    await vendor.ask("PATCH", `/v1/data/pixels/${vendor.pixelId}`, {
      settings: { consent: "denied" },
    })
    await vendor.send([person(), person({ "Business Email": null })])

    expect(await vendor.outcomes()).toEqual({ dropped: 2 })
    expect([await vendor.visitors(), await vendor.companies()]).toEqual([[], []])
  })
})

describe("who must not be kept", () => {
  const kept = (organizationId: string) =>
    server.sql(
      `select key, address_hashes, body from inbound_record
       where organization_id = $1 and (body is not null or address_hashes <> '{}')`,
      [organizationId],
    )

  it.each([
    ["email", "jane@harbor.example"],
    ["domain", "harbor.example"],
    ["company_domain", "harbor.example"],
    ["industry", "transportation"],
  ])(
    "someone suppressed by a rule of type %s is dropped, and a later end of it brings no one back",
    async (type, value) => {
      const { ask, organizationId, outcomes, send, visitors } = await makeVendor(server)
      const rules = [{ type, value }]
      expect((await ask("POST", "/v1/data/suppression-rules", { rules })).status).toBeLessThan(300)
      const record = person({ "Business Email": "jane@harbor.example", Industry: "Transportation" })
      expect((await send(record)).body.data).toEqual({ accepted: 1 })

      expect(await outcomes()).toEqual({ dropped: 1 })
      expect(await kept(organizationId)).toEqual([])
      const { sha256 } = hashEmail("jane@harbor.example")
      expect((await ask("GET", `/v1/data/visitors/${sha256}/origins`)).status).toBe(404)
      await ask("DELETE", "/v1/data/suppression-rules", { rules })
      await server.sql("delete from suppression_rule where organization_id = $1", [organizationId])
      await send(record)
      expect(await outcomes()).toEqual({ dropped: 1, repeated: 1 })
      expect(await visitors()).toEqual([])
    },
  )

  it("someone whose address alone names a suppressed company is dropped", async () => {
    const { ask, organizationId, outcomes, send } = await makeVendor(server)
    await ask("POST", "/v1/data/suppression-rules", {
      rules: [{ type: "company_domain", value: "harbor.example" }],
    })
    await send({ "Business Email": "jane@mail.harbor.example" })
    await send({ "Business Email": "jane@gmail.com" })

    expect(await outcomes()).toEqual({ dropped: 1, person: 1 })
    expect(await kept(organizationId)).toHaveLength(1)
  })

  it("someone erased is dropped, and nothing of them is kept", async () => {
    const { ask, organizationId, outcomes, send, visitors } = await makeVendor(server)
    const email = "gone@harbor.example"
    await send(person({ "Business Email": email }))
    await visitors()
    const { sha256 } = hashEmail(email)
    expect((await ask("DELETE", `/v1/data/visitors/${sha256}`)).status).toBe(200)
    expect(await kept(organizationId)).toEqual([])

    await send([
      person({ "Business Email": email, Title: "Back again" }),
      { "Business Email": "other@harbor.example", Tags: `cc: <${email}>` },
    ])
    expect(await outcomes()).toEqual({ dropped: 1, person: 1 })
    expect(await kept(organizationId)).toEqual([])
    expect((await visitors()).map((one) => one["email"])).toEqual(["other@harbor.example"])
  })

  it("someone suppressed is in no body either, of whomever the record is", async () => {
    const { ask, organizationId, outcomes, send } = await makeVendor(server)
    const value = "hidden@harbor.example"
    await ask("POST", "/v1/data/suppression-rules", { rules: [{ type: "email", value }] })
    await send([{ Tags: value }, person({ Tags: `cc ${value}` }), { Tags: "no one" }])

    expect(await outcomes()).toEqual({ rejected: 2, person: 1 })
    expect(await kept(organizationId)).toHaveLength(1)
  })

  it("a path that the pixel excludes drops the whole record", async () => {
    const { ask, domain, outcomes, pixelId, send, visitors } = await makeVendor(server)
    await ask("PATCH", `/v1/data/pixels/${pixelId}`, { excludedPaths: ["/careers"] })
    await send(person({ "Captured URL": `https://${domain}/careers/1` }))

    expect(await outcomes()).toEqual({ dropped: 1 })
    expect(await visitors()).toEqual([])
  })

  it("the organizer of a booking may be suppressed without dropping the attendee", async () => {
    const { ask, outcomes, send } = await makeVendor(server, { preset: "calcom" })
    await ask("POST", "/v1/data/suppression-rules", {
      rules: [{ type: "domain", value: "tidewater.example" }],
    })
    await send({
      triggerEvent: "BOOKING_CREATED",
      payload: {
        uid: randomUUID(),
        organizer: { email: "sales@tidewater.example" },
        attendees: [{ email: "ada@acme.example" }],
      },
    })
    expect(await outcomes()).toEqual({ person: 1 })
  })
})

describe("trust", () => {
  const values = async (vendor: Awaited<ReturnType<typeof makeVendor>>, email: string) => {
    await vendor.visitors()
    const { body } = await vendor.ask("GET", `/v1/data/visitors/${hashEmail(email).sha256}/origins`)
    return new Map<string, { origin: string; source: string | null }>(
      body.data.values.map((one: { field: string }) => [one.field, one]),
    )
  }

  it("a vendor fills what is empty and replaces its own value, and of two vendors the first stays", async () => {
    const email = "jane@harbor.example"
    const vendor = await makeVendor(server)
    const other = await makeVendor(server, { name: "Other" }, vendor)
    const said = (title: string, city: string | null) =>
      person({ "Business Email": email, Title: title, City: city })
    await vendor.send(said("Manager", null))
    await other.send(said("Clerk", "Austin"))
    await vendor.send(said("Director", null))

    expect(await vendor.visitors()).toEqual([
      expect.objectContaining({ jobTitle: "Director", city: "Austin" }),
    ])
    const known = await values(vendor, email)
    expect(known.get("jobTitle")).toMatchObject({ origin: "vendor", source: "RB2B" })
    expect(known.get("city")).toMatchObject({ origin: "vendor", source: "Other" })
  })

  it("traits replace a vendor's value, whichever came first", async () => {
    const email = "jane@harbor.example"
    const vendor = await makeVendor(server)
    const { body } = await vendor.ask("POST", `/v1/data/pixels/${vendor.pixelId}/write-keys`, {
      name: "x",
    })
    const identify = (traits: object) =>
      fetch(`${server.url}/v1/identify`, {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${body.data.writeKey}:`).toString("base64")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ anonymousId: randomUUID(), traits: { email, ...traits } }),
      })
    await vendor.send(person({ "Business Email": email, Title: "Vendor says", City: "Austin" }))
    await vendor.visitors()
    await identify({ title: "Site says" })

    expect(await vendor.visitors()).toEqual([
      expect.objectContaining({ jobTitle: "Site says", city: "Austin" }),
    ])
    await vendor.send(person({ "Business Email": email, Title: "Vendor again" }))
    expect(await vendor.visitors()).toEqual([expect.objectContaining({ jobTitle: "Site says" })])
    const known = await values(vendor, email)
    expect([known.get("jobTitle")?.origin, known.get("city")?.origin]).toEqual(["visit", "vendor"])
  })

  it("an id that a vendor sends joins no two people", async () => {
    const vendor = await makeVendor(server, {
      mapping: { kind: "person", fields: { "custom.external_id": "=42" } },
    })
    await vendor.send([person(), person()])
    expect(await vendor.visitors()).toHaveLength(2)
  })
})

describe("once", () => {
  it("the same record counts once, in whatever order its names are", async () => {
    const { outcomes, send } = await makeVendor(server)
    const record = person()
    await send([record, record])
    await send(Object.fromEntries(Object.entries(record).toReversed()))
    expect(await outcomes()).toEqual({ person: 1, repeated: 2 })
  })

  it("a record with the vendor's id counts once, whatever else changes", async () => {
    const { outcomes, send } = await makeVendor(server, {
      mapping: { kind: "person", fields: { id: "$.id" } },
    })
    await send([person({ id: 7 }), person({ id: 7 }), person({ id: 8 }), person({ id: "null" })])
    expect(await outcomes()).toEqual({ person: 3, repeated: 1 })
  })

  it("counts again after 7 days, and two sources don't share it", async () => {
    const vendor = await makeVendor(server)
    const other = await makeVendor(server, {}, vendor)
    const record = person()
    await vendor.send(record)
    await other.send(record)
    expect(await other.outcomes()).toEqual({ person: 1 })
    await server.sql(
      "update inbound_request set received_at = now() - interval '8 days' where source_id = $1",
      [vendor.id],
    )
    expect(await vendor.history()).toEqual([])
  })
})

describe("the history", () => {
  it("lists the newest first, keeps bodies sealed, and names no one", async () => {
    const vendor = await makeVendor(server)
    await vendor.send(person({ "Business Email": "jane@harbor.example" }))
    await vendor.send([{ Tags: "x" }, { Industry: "y" }])
    const history = await vendor.history()

    expect(history.map(({ records }: { records: number }) => records)).toEqual([2, 1])
    expect(history[0].outcomes).toEqual([
      { outcome: "rejected", reason: "no_identity", records: 2 },
    ])
    expect(JSON.stringify(history)).not.toContain("harbor")
    const rows = await server.sql("select body::text from inbound_record where source_id = $1", [
      vendor.id,
    ])
    const hex = Buffer.from("jane@harbor.example").toString("hex")
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain(hex)
  })

  it("maps again what was rejected, after a change of the mapping, and takes nothing twice", async () => {
    const vendor = await makeVendor(server)
    const taken = person()
    await vendor.send([{ mail: "late@harbor.example", "First Name": "Late" }, taken])
    const [{ id }] = await vendor.history()
    const run = () => vendor.ask("POST", `${vendor.path}/history/${id}/run`)
    expect((await run()).body.data.outcomes).toEqual([
      { outcome: "person", reason: null, records: 1 },
      { outcome: "rejected", reason: "no_identity", records: 1 },
    ])

    await vendor.ask("PATCH", vendor.path, {
      mapping: { kind: "person", fields: { email: "$.mail" } },
    })
    for (let time = 0; time < 2; time++) {
      expect((await run()).body.data.outcomes).toEqual([
        { outcome: "person", reason: null, records: 2 },
      ])
    }
    expect(await vendor.visitors()).toHaveLength(2)
  })

  it("makes a person of a company's visit once its address is mapped, without a second page view", async () => {
    const vendor = await makeVendor(server)
    const page = { "Captured URL": `https://${vendor.domain}/pricing` }
    await vendor.send({ Website: "harbor.example", mail: "late@harbor.example", ...page })
    await vendor.ask("PATCH", vendor.path, {
      mapping: { kind: "person", fields: { email: "$.mail" } },
    })
    const [{ id }] = await vendor.history()
    await vendor.ask("POST", `${vendor.path}/history/${id}/run`)

    expect(await vendor.outcomes()).toEqual({ person: 1 })
    expect((await vendor.visitors()).map(({ email }) => email)).toEqual(["late@harbor.example"])
    const pages = (await vendor.events()).filter(({ type }) => type === "page")
    expect(pages).toHaveLength(1)
  })

  it("ends after 7 days, and a body without an address after 24 hours", async () => {
    const [week, day] = [await makeVendor(server), await makeVendor(server)]
    await week.send(person())
    await day.send([person(), { Tags: "no address" }])
    await Promise.all([week.history(), day.history()])
    const age = (id: string, interval: string) =>
      server.sql(
        "update inbound_request set received_at = now() - $2::interval where source_id = $1",
        [id, interval],
      )
    await age(week.id, "7 days 1 minute")
    await age(day.id, "24 hours 1 minute")
    const kept = (id: string) =>
      server.sql(
        "select outcome, body is not null as has from inbound_record where source_id = $1 order by 1",
        [id],
      )
    expect(await kept(week.id)).toHaveLength(1)

    const restarted = await startServer({ beside: server })
    await expect.poll(() => kept(week.id), { timeout: 30_000 }).toEqual([])
    await expect
      .poll(() => kept(day.id), { timeout: 30_000 })
      .toEqual([
        { outcome: "person", has: true },
        { outcome: "rejected", has: false },
      ])
    await restarted.close()
  })

  it("has the addresses in URLs too, so that an erasure deletes them", async () => {
    const vendor = await makeVendor(server)
    const email = "o'neil+x@harbor.example"
    await vendor.send([
      { Referrer: `https://x.example/?a=1&mail=${encodeURIComponent(email)}&b=2` },
      { Tags: `cc: ${email}` },
      { Tags: "no one" },
    ])
    await vendor.send(person({ "Business Email": email }))
    await vendor.visitors()
    await vendor.ask("DELETE", `/v1/data/visitors/${hashEmail(email).sha256}`)

    const rows = await server.sql("select from inbound_record where source_id = $1", [vendor.id])
    expect(rows).toHaveLength(1)
  })

  it("is deleted with its source, which leaves the visits", async () => {
    const vendor = await makeVendor(server)
    await vendor.send(person())
    await vendor.visitors()
    await vendor.ask("DELETE", vendor.path)

    expect(await vendor.visitors()).toHaveLength(1)
    const rows = await server.sql("select from inbound_record where source_id = $1", [vendor.id])
    expect(rows).toEqual([])
  })
})

describe("a test of a mapping", () => {
  it("shows kind and fields of each record, why others are rejected, and keeps nothing", async () => {
    const vendor = await makeVendor(server)
    const { body, status } = await vendor.ask("POST", "/v1/data/inbound/test", {
      preset: "generic",
      mapping: {
        kind: "person",
        each: "$.rows[*]",
        fields: { email: "$.mail", revenue: "$.r", at: "$.at", "custom.plan": "$.plan" },
      },
      sample: {
        rows: [{ mail: "Jane@Harbor.example", r: "$3M", at: 1_700_000_000, plan: "pro" }, { x: 1 }],
      },
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      records: [
        {
          kind: "person",
          fields: {
            email: "jane@harbor.example",
            revenue: "1 million to 5 million",
            at: "2023-11-14T22:13:20.000Z",
            "custom.plan": "pro",
          },
        },
      ],
      rejected: [{ index: 1, reason: "nothing_found", message: expect.any(String) }],
    })
    expect([await vendor.history(), await vendor.visitors()]).toEqual([[], []])
  })
})

describe("a viewer", () => {
  it("reads sources and tests mappings, and changes nothing", async () => {
    const vendor = await makeVendor(server)
    const { accessToken } = await server.makeUser("viewer", vendor.organizationId)
    const status = async (method: string, path: string, body?: unknown) =>
      (
        await fetch(server.url + path, {
          method,
          headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
      ).status
    expect(await status("GET", vendor.path)).toBe(200)
    expect(await status("POST", "/v1/data/inbound/test", { preset: "rb2b", sample: {} })).toBe(200)
    expect(await status("DELETE", vendor.path)).toBe(403)
    expect(await status("POST", `${vendor.path}/rotate`, {})).toBe(403)
  })

  it("of another organization finds nothing", async () => {
    const vendor = await makeVendor(server)
    const foreign = askAs(server, await server.makeOrganization())
    expect((await foreign("GET", vendor.path)).status).toBe(404)
    expect((await foreign("GET", `${vendor.path}/history`)).status).toBe(404)
  })
})
