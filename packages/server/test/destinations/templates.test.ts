// The templates of the guides, sent through the server to doubles that check what each vendor accepts.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { once } from "node:events"
import type { IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, person } from "../deliveries/support.ts"
import { startHubSpot } from "./connectors/doubles/hubspot.ts"

/** The template that a guide writes to this file. */
const templateOf = (page: string, file: string): Readonly<Record<string, unknown>> => {
  const guide = readFileSync(
    join(import.meta.dirname, `../../../../docs/how-to/${page}.md`),
    "utf8",
  )
  const found = new RegExp(`cat > ${file} <<'END'\\n([\\s\\S]*?)\\nEND`).exec(guide)
  return JSON.parse(found![1]!) as Record<string, unknown>
}

interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** What a vendor answers. */
type Vendor = (request: Arrived) => { readonly status: number; readonly body: string }

const startVendor = async (vendor: Vendor) => {
  const accepted: Array<Arrived> = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void text(request).then((sent) => {
      const { headers, method = "", url: path = "" } = request
      const isJson = /^application\/json\b/.test(headers["content-type"] ?? "")
      const one = { method, path, headers, body: isJson ? JSON.parse(sent) : {} } as Arrived
      const { body, status } =
        method === "POST" && isJson ? vendor(one) : { status: 400, body: "Expected JSON." }
      if (status < 300) accepted.push(one)
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    accepted,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

const found = [
  person("jane", {
    firstName: "Jane",
    lastName: "Mercer",
    jobTitle: "VP Logistics",
    companyName: "Harbor",
    companyDomain: "harbor.example",
  }),
  person("unnamed", { firstName: null }),
]

const delivered = async (fields: Readonly<Record<string, unknown>>) => {
  const destination = await w.destination(found, {
    eventTypes: ["intent.audience.contact.upserted"],
    body: "template",
    ...fields,
  })
  const test = await w.world.get<{ readonly ok: boolean }>(
    `POST ${w.world.pathOf(destination)}/test`,
  )
  const delivery = await w.delivered(destination)
  return { test, delivery, failures: await w.failures(delivery) }
}

const key = "4f9c1b7e"
/** What each tool answers to a request that it takes, and which it refuses. */
const tools: Readonly<Record<string, { readonly path: string; readonly vendor: Vendor }>> = {
  Zapier: {
    path: "/hooks/catch/123/abc/",
    vendor: () => ({
      status: 200,
      body: JSON.stringify({ attempt: "1", id: "1", request_id: "1", status: "success" }),
    }),
  },
  Make: { path: "/abc", vendor: () => ({ status: 200, body: "Accepted" }) },
  n8n: {
    path: "/webhook/abc",
    vendor: ({ headers }) =>
      headers["x-footfall-key"] === key
        ? { status: 200, body: JSON.stringify({ message: "Workflow was started" }) }
        : { status: 403, body: "Authorization data is wrong!" },
  },
}

describe.each(Object.entries(tools))("%s", (name, { path, vendor }) => {
  it("gets flat fields of each person", async () => {
    const service = await startVendor(vendor)
    const { delivery, test } = await delivered({
      url: service.url + path,
      template: templateOf("send-to-zapier-make-or-n8n", "person.json"),
      ...(name === "n8n" ? { headers: { "x-footfall-key": key } } : {}),
    })
    await service.close()

    expect(test.ok).toBe(true)
    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
    const [sample, ...people] = service.accepted.map(({ body }) => body)
    expect(sample).toMatchObject({ email: "sam.sample@footfall-test.example" })
    for (const body of people) {
      for (const value of Object.values(body)) expect(typeof value).not.toBe("undefined")
      expect(
        Object.values(body).every((value) => value === null || typeof value !== "object"),
      ).toBe(true)
    }
    expect(people).toContainEqual({
      id: found[0]!.hashedEmail,
      change: "added",
      audience: "Warehouse buyers",
      email: "jane@harbor.example",
      first_name: "Jane",
      last_name: "Mercer",
      job_title: "VP Logistics",
      company: "Harbor",
      company_domain: "harbor.example",
      score: 91,
      summary: "Jane Mercer of Harbor",
    })
    expect(people).toContainEqual(
      expect.objectContaining({ first_name: null, company: null, summary: " of " }),
    )
  })

  it("takes an alert as it is", async () => {
    // An alert has no headers of its own.
    const service = await startVendor(name === "n8n" ? tools["Make"]!.vendor : vendor)
    const { webhook } = await w.world.get<{ readonly webhook: { readonly id: string } }>(
      "POST /v1/data/webhooks",
      { name, url: service.url + path, trigger: "page_viewed", path: "/pricing" },
    )

    const test = await w.world.get<{ readonly ok: boolean }>(
      `POST /v1/data/webhooks/${webhook.id}/test`,
      {},
    )
    await w.world.ask(`DELETE /v1/data/webhooks/${webhook.id}`)
    await service.close()

    expect(test.ok).toBe(true)
    expect(service.accepted[0]!.body).toMatchObject({ event: "webhook.test", test: true })
  })
})

it("n8n refuses a request without the header, and the destination needs attention", async () => {
  const service = await startVendor(tools["n8n"]!.vendor)
  const { delivery, test } = await delivered({
    url: service.url,
    template: templateOf("send-to-zapier-make-or-n8n", "person.json"),
  })
  await service.close()

  expect(test.ok).toBe(false)
  expect(delivery).toMatchObject({ status: "failed", errorCode: "ENDPOINT_AUTH" })
})

/** A standard Salesforce lead: the API refuses unknown fields, and empty required ones. */
const leadFields: ReadonlyMap<string, number> = new Map([
  ["FirstName", 40],
  ["LastName", 80],
  ["Company", 255],
  ["Title", 128],
  ["Email", 80],
  ["Phone", 40],
  ["LeadSource", 255],
  ["Description", 32_000],
])
const salesforce: Vendor = ({ body, headers, path }) => {
  const refuse = (status: number, errorCode: string, fields: ReadonlyArray<string> = []) => ({
    status,
    body: JSON.stringify([{ message: errorCode, errorCode, fields }]),
  })
  if (headers.authorization !== "Bearer 00D-token") return refuse(401, "INVALID_SESSION_ID")
  if (!/^\/services\/data\/v\d+\.0\/sobjects\/Lead$/.test(path)) return refuse(404, "NOT_FOUND")
  for (const [name, value] of Object.entries(body)) {
    const lengthMax = leadFields.get(name)
    if (lengthMax === undefined) return refuse(400, "INVALID_FIELD", [name])
    if (value !== null && typeof value !== "string") return refuse(400, "JSON_PARSER_ERROR", [name])
    if (value !== null && value.length > lengthMax) return refuse(400, "STRING_TOO_LONG", [name])
  }
  const missing = ["LastName", "Company"].filter((name) => !String(body[name] ?? "").trim())
  return missing.length > 0
    ? refuse(400, "REQUIRED_FIELD_MISSING", missing)
    : { status: 201, body: JSON.stringify({ id: "00Q1", success: true, errors: [] }) }
}

describe("Salesforce", () => {
  const template = templateOf("send-to-a-crm-by-template", "salesforce.json")
  const path = "/services/data/v62.0/sobjects/Lead"

  it("creates a lead of each person, also of one whose name and company are unknown", async () => {
    const service = await startVendor(salesforce)
    const { delivery, failures } = await delivered({
      url: service.url + path,
      headers: { Authorization: "Bearer 00D-token" },
      template,
    })
    await service.close()

    expect(failures).toEqual([])
    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
    expect(service.accepted.map(({ body }) => body)).toContainEqual({
      FirstName: "Jane",
      LastName: "Mercer (jane@harbor.example)",
      Company: "Harbor (harbor.example)",
      Title: "VP Logistics",
      Email: "jane@harbor.example",
      Phone: null,
      LeadSource: "Footfall",
      Description: "Warehouse buyers: score 91",
    })
  })

  it("refuses an expired token: the destination needs attention, and a new header mends it", async () => {
    const service = await startVendor(salesforce)
    const destination = await w.destination(found, {
      url: service.url + path,
      eventTypes: ["intent.audience.contact.upserted"],
      headers: { Authorization: "Bearer old" },
      body: "template",
      template,
    })
    const failed = await w.delivered(destination)
    const before = await w.destinationOf(destination)

    await w.world.changed(destination, {
      headers: { Authorization: "Bearer 00D-token" },
      status: "active",
    })
    const delivery = await w.delivered(destination)
    await service.close()

    expect(failed).toMatchObject({ status: "failed", errorCode: "ENDPOINT_AUTH" })
    expect(before.status).toBe("needs_attention")
    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
  })
})

describe("HubSpot", () => {
  it("gets a batch of one contact that its contract allows, and updates it by address", async () => {
    const service = await startHubSpot()
    service.put("jane@harbor.example", null)
    const { delivery, failures } = await delivered({
      url: `${service.url}/crm/v3/objects/contacts/batch/upsert`,
      headers: { Authorization: `Bearer ${service.credentials["apiKey"]}` },
      template: templateOf("send-to-a-crm-by-template", "hubspot.json"),
    })
    const people = service.people()
    await service.close()

    expect(service.violations).toEqual([])
    expect(failures).toEqual([])
    expect(delivery).toMatchObject({ status: "completed", sentCount: 2 })
    expect(people.filter(({ email }) => email === "jane@harbor.example")).toMatchObject([
      { fields: { firstname: "Jane " } },
    ])
  })
})
