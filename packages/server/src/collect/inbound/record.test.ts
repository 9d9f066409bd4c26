// What vendors write, read as fields (spec 15.3.5, 15.3.6).
import { hash } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { Preset } from "./inbound-source.ts"
import { mappingFault } from "./mapping.ts"
import { RecordRejected } from "./record.ts"
import { readByMapping, recordsOf } from "./taking.ts"

const by = (preset: Preset, body: unknown) =>
  recordsOf(body, { preset, mapping: null }).map((record) => {
    const read = readByMapping(record, { preset, mapping: null })
    return read instanceof RecordRejected ? read.reason : read
  })

const mapped = (fields: Readonly<Record<string, string>>, body: unknown, each?: string) => {
  const source = {
    preset: "generic",
    mapping: { kind: "person", fields, ...(each === undefined ? {} : { each }) },
  } as const
  return recordsOf(body, source).map((record) => {
    const read = readByMapping(record, source)
    return read instanceof RecordRejected ? read.reason : read
  })
}

const rb2b = {
  "LinkedIn URL": "https://www.linkedin.com/in/janemercer/",
  "First Name": "Jane",
  "Last Name": "Mercer",
  Title: "VP of Operations",
  "Company Name": "Harbor Logistics",
  "Business Email": "Jane@Harbor-Logistics.example",
  Website: "https://www.harbor-logistics.example/about",
  Industry: "Transportation",
  "Employee Count": "51-200",
  "Estimate Revenue": "$22M rev",
  City: "Austin",
  State: "Texas",
  Zipcode: 73301,
  "Seen At": "2024-01-01T12:34:56:00.00+00.00",
  Referrer: "https://news.example/",
  "Captured URL": "https://tidewater.example/pricing?utm_source=x",
  Tags: "Hot Pages, Hot Leads",
}

describe("RB2B", () => {
  it("reads a person with all fields", () => {
    expect(by("rb2b", rb2b)).toEqual([
      {
        kind: "person",
        email: "jane@harbor-logistics.example",
        traits: {
          firstName: "Jane",
          lastName: "Mercer",
          jobTitle: "VP of Operations",
          linkedinUrl: "https://www.linkedin.com/in/janemercer",
          custom: { rb2b_tags: "Hot Pages, Hot Leads" },
          companyName: "Harbor Logistics",
          companyDomain: "harbor-logistics.example",
          industry: "transportation",
          employeeCount: 51,
          revenueRange: "10 million to 25 million",
          city: "Austin",
          state: "Texas",
          zipCode: "73301",
        },
        companyDomain: "harbor-logistics.example",
        url: "https://tidewater.example/pricing?utm_source=x",
        referrer: "https://news.example/",
        at: Date.UTC(2024, 0, 1, 12, 34, 56),
      },
    ])
  })

  it("a record without an address is a company, without the person's fields", () => {
    const record = { ...rb2b, "Business Email": null }
    expect(by("rb2b", [record])[0]).toMatchObject({
      kind: "company",
      companyDomain: "harbor-logistics.example",
      traits: expect.not.objectContaining({ firstName: "Jane" }),
    })
  })

  it("nulls and empty texts are absent, and nothing at all is rejected", () => {
    const empty = Object.fromEntries(Object.keys(rb2b).map((name) => [name, null]))
    expect(by("rb2b", empty)).toEqual(["nothing_found"])
    expect(by("rb2b", { Industry: "x" })).toEqual(["no_identity"])
  })
})

describe("values", () => {
  const value = (field: string, given: unknown) => {
    const [read] = mapped({ email: "=jane@acme.example", [field]: "$.v" }, { v: given })
    if (typeof read === "string") throw new Error(read)
    return read
  }

  it.each([
    [60, 60],
    ["60", 60],
    ["51-200", 51],
    ["1,001-5,000", 1001],
    ["1.001 – 5.000 employees", 1001],
    ["10000+", 10000],
    ["10,001+", 10001],
    ["10,000+", 10000],
    ["1K-5K", 1000],
    ["10k+", 10000],
    ["1.5K", 1500],
    ["500-1K", 500],
    [1.234, 1],
    [1e21, undefined],
    ["21474836470000", undefined],
    ["many", undefined],
    [-5, undefined],
    [{}, undefined],
    ["9".repeat(300), undefined],
  ])("employeeCount %j is %j", (given, count) => {
    expect(value("employeeCount", given)?.traits.employeeCount).toBe(count)
  })

  it.each([
    ["$22M rev", "10 million to 25 million"],
    [22_000_000, "10 million to 25 million"],
    ["22,000,000", "10 million to 25 million"],
    ["$500K", "under 1 million"],
    ["under $1M", "under 1 million"],
    ["$10-50 million", "10 million to 25 million"],
    ["1.5B", "1 billion and over"],
    ["$1 bil. - $5 bil.", "1 billion and over"],
    ["$2 trillion", "1 billion and over"],
    ["$10M - $50M", "10 million to 25 million"],
    ["50 million to 100 million", "50 million to 100 million"],
    ["unknown", undefined],
  ])("revenue %j is in the range %j", (given, range) => {
    expect(value("revenue", given)?.traits.revenueRange).toBe(range)
  })

  it.each([
    ["United States", "US"],
    ["us", "US"],
    ["UK", "GB"],
    ["Germany", "DE"],
    ["Atlantis", undefined],
  ])("country %j is %j", (given, country) => {
    expect(value("country", given)?.traits.country).toBe(country)
  })

  it.each([
    ["https://www.Acme.example/x?y", "acme.example"],
    ["shop.acme.co.uk", "acme.co.uk"],
    ["gmail.com", undefined],
    ["not a domain", undefined],
    ["http://127.0.0.1/", undefined],
  ])("website %j is the domain %j", (given, domain) => {
    expect(value("website", given)?.companyDomain).toBe(domain)
  })

  it("a page on another network than LinkedIn is no LinkedIn URL", () => {
    expect(
      value("linkedinUrl", "https://linkedin.com.evil.example/in/x")?.traits.linkedinUrl,
    ).toBeUndefined()
    expect(value("linkedinUrl", "linkedin.com/in/x")?.traits.linkedinUrl).toBe(
      "https://linkedin.com/in/x",
    )
  })

  it("an id of your own, a secret and a prototype are no custom values", () => {
    const fields = {
      email: "=jane@acme.example",
      "custom.external_id": "=42",
      "custom.token": "=x",
      "custom.constructor": "=kept",
      "custom.plan": "$.plan",
    }
    expect(mapped(fields, { plan: 7 })[0]).toMatchObject({
      traits: { custom: { constructor: "kept", plan: "7" } },
    })
  })

  it("half a character makes an address none, and is left out of other texts", () => {
    expect(mapped({ email: "$.e" }, { e: "a\ud800b@acme.example" })).toEqual(["no_identity"])
    expect(value("jobTitle", "C\ud800E\0O")?.traits.jobTitle).toBe("C\ufffdEO")
  })

  it("placeholders name no one", () => {
    const nothing = hash("sha256", "undefined")
    expect(mapped({ emailHash: "$.h" }, { h: nothing })).toEqual(["no_identity"])
    expect(mapped({ email: "$.e", id: "$.i" }, { e: "undefined", i: "null" })).toEqual([
      "no_identity",
    ])
  })
})

describe("forms and calendars", () => {
  it("Typeform: the answers by their type, or by the title of their question", () => {
    const body = {
      event_id: "01HM3K8N2P9X4ABCDEFGHIJKLM",
      event_type: "form_response",
      form_response: {
        submitted_at: "2026-03-11T09:05:00Z",
        hidden: { page: "https://tidewater.example/demo" },
        definition: {
          fields: [
            { id: "f1", title: "What's your name?", type: "short_text" },
            { id: "f2", title: "Company", type: "short_text" },
          ],
        },
        answers: [
          { type: "text", text: "Octavia Chen", field: { id: "f1" } },
          { type: "text", text: "Acme", field: { id: "f2" } },
          { type: "email", email: "octavia@acme.example", field: { id: "f3" } },
        ],
      },
    }
    expect(by("typeform", body)).toEqual([
      expect.objectContaining({
        email: "octavia@acme.example",
        url: "https://tidewater.example/demo",
        eventName: "form_submitted",
        id: "01HM3K8N2P9X4ABCDEFGHIJKLM",
        traits: { firstName: "Octavia", lastName: "Chen", companyName: "Acme" },
      }),
    ])
  })

  it("Tally: the fields by their type, or by their label", () => {
    const body = {
      eventId: "a4cb511e-d513-4fa5-baee-b815d718dfd1",
      eventType: "FORM_RESPONSE",
      createdAt: "2026-03-11T09:05:00.000Z",
      data: {
        createdAt: "2026-03-11T09:04:59.000Z",
        fields: [
          { key: "q1", label: "First name", type: "INPUT_TEXT", value: "Ada" },
          { key: "q2", label: "Your mail", type: "INPUT_EMAIL", value: "ada@acme.example" },
          { key: "q3", label: "page", type: "HIDDEN_FIELDS", value: "https://tidewater.example/" },
          { key: "q4", label: "Pick", type: "CHECKBOXES", value: ["x"] },
        ],
      },
    }
    expect(by("tally", body)).toEqual([
      expect.objectContaining({
        email: "ada@acme.example",
        url: "https://tidewater.example/",
        eventName: "form_submitted",
        id: "a4cb511e-d513-4fa5-baee-b815d718dfd1",
      }),
    ])
  })

  it("Cal.com: each attendee is a record, and a meeting that ended is none", () => {
    const body = {
      triggerEvent: "BOOKING_RESCHEDULED",
      createdAt: "2026-03-11T09:05:00.000Z",
      payload: {
        type: "Demo",
        uid: "bFJeNb2uX8ANpT3JL5EfXw",
        organizer: { email: "sales@tidewater.example", name: "Sales" },
        attendees: [
          { email: "ada@acme.example", name: "Ada Byron" },
          { email: "bob@acme.example", name: "Bob" },
        ],
      },
    }
    const read = by("calcom", body)
    expect(read).toEqual([
      expect.objectContaining({ email: "ada@acme.example", eventName: "booking_rescheduled" }),
      expect.objectContaining({ email: "bob@acme.example", eventName: "booking_rescheduled" }),
    ])
    expect(new Set(read.map((one) => typeof one !== "string" && one.id)).size).toBe(2)
    expect(by("calcom", { ...body, triggerEvent: "MEETING_ENDED" })).toEqual([
      "nothing_found",
      "nothing_found",
    ])
  })

  it("Cal.com: the records of a large booking with many attendees leave out what would be copied too often", () => {
    const attendees = Array.from({ length: 400 }, (_, at) => ({ email: `p${at}@acme.example` }))
    const booking = (additionalNotes: string) =>
      recordsOf(
        {
          triggerEvent: "BOOKING_CREATED",
          payload: { type: "Demo", uid: "u", additionalNotes, attendees },
        },
        { preset: "calcom", mapping: null },
      )
    expect(booking("short")[7]).toMatchObject({ payload: { additionalNotes: "short" } })
    const records = booking("x".repeat(900_000))
    expect(records).toHaveLength(400)
    expect(JSON.stringify(records).length).toBeLessThan(100_000)
    expect(readByMapping(records[7], { preset: "calcom", mapping: null })).toMatchObject({
      email: "p7@acme.example",
      eventName: "booking_created",
      traits: { custom: { booking: "Demo" } },
    })
  })

  it("Calendly: a change of the time counts as one booking", () => {
    const invitee = {
      uri: "https://api.calendly.com/scheduled_events/E/invitees/I",
      email: "ada@acme.example",
      name: "Ada Byron",
      first_name: null,
      scheduled_event: { name: "Demo" },
      old_invitee: null,
      rescheduled: false,
      questions_and_answers: [{ question: "Company name", answer: "Acme", position: 0 }],
    }
    const event = (name: string, change: object = {}) =>
      by("calendly", {
        event: name,
        created_at: "2026-03-11T09:05:00Z",
        payload: { ...invitee, ...change },
      })[0]
    expect(event("invitee.created")).toMatchObject({
      eventName: "booking_created",
      traits: {
        firstName: "Ada",
        lastName: "Byron",
        companyName: "Acme",
        custom: { booking: "Demo" },
      },
      id: `invitee.created ${invitee.uri}`,
    })
    expect(event("invitee.created", { old_invitee: "https://x" })).toMatchObject({
      eventName: "booking_rescheduled",
    })
    expect(event("invitee.canceled")).toMatchObject({ eventName: "booking_cancelled" })
    expect(event("invitee.canceled", { rescheduled: true })).toBe("nothing_found")
  })
})

describe("a mapping", () => {
  it("finds the records with each, in which its paths begin", () => {
    const body = { data: [{ contact: { mail: "a@acme.example" } }, { contact: {} }] }
    expect(mapped({ email: "$.contact.mail", city: "=Austin" }, body, "$.data[*]")).toEqual([
      expect.objectContaining({ email: "a@acme.example" }),
      "no_identity",
    ])
  })

  it("finds records beyond many that are not there", () => {
    const rows = Array.from({ length: 900 }, (_, at) =>
      at < 890 ? {} : { contact: { mail: `p${at}@acme.example` } },
    )
    expect(mapped({ email: "$.mail" }, { rows }, "$.rows[*].contact")).toHaveLength(10)
  })

  it("replaces fields of the preset, and leaves the others", () => {
    const source = {
      preset: "rb2b",
      mapping: { kind: "person", fields: { email: "$.mail" } },
    } as const
    const read = readByMapping({ ...rb2b, mail: "new@acme.example" }, source)
    expect(read).toMatchObject({ email: "new@acme.example", traits: { firstName: "Jane" } })
  })

  it("of companies takes no address", () => {
    const source = { preset: "rb2b", mapping: { kind: "company", fields: {} } } as const
    expect(readByMapping(rb2b, source)).toMatchObject({ kind: "company" })
  })

  it.each([
    [{ fields: { nope: "$.a" } }, "fields/nope"],
    [{ fields: { "custom.1": "$.a" } }, "fields/custom.1"],
    [{ fields: { email: "a" } }, "fields/email"],
    [{ fields: { email: "$.a[*]" } }, "fields/email"],
    [{ fields: { city: `=${"x".repeat(256)}` } }, "fields/city"],
    [{ each: "data", fields: {} }, "each"],
    [
      {
        fields: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`custom.k${at}`, "$.a"])),
      },
      "fields",
    ],
  ])("%j is refused by the name of the field", (mapping, path) => {
    expect(mappingFault({ kind: "person", ...mapping })?.path).toBe(path)
  })

  it("takes names of prototypes as what they are: no fields", () => {
    const fields = JSON.parse('{"__proto__":"$.a"}')
    expect(mappingFault({ kind: "person", fields })?.path).toBe("fields/__proto__")
  })
})
