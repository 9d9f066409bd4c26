import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import { contactUpserted, type EventSource } from "./intent-event.ts"
import { templated } from "./format.ts"
import { sampleData } from "./sample.ts"
import { checkTemplate, storedTemplate, templateBytesMax } from "./template.ts"

const issuesOf = (template: object) =>
  Result.match(checkTemplate(template, sampleData), {
    onFailure: (issues) => issues.map(({ code, message, path }) => `${path} ${code}: ${message}`),
    onSuccess: () => [],
  })
const written = (template: object, data: object = sampleData): unknown => {
  expect(issuesOf(template)).toEqual([])
  return JSON.parse(storedTemplate(JSON.stringify(template)).written(data))
}

describe("a placeholder", () => {
  it("that is the whole text keeps the type of its value", () => {
    expect(
      written({
        score: "{{contact.intent.score}}",
        region: "{{ contact.geo.state }}",
        nothing: "{{contact.headline}}",
        company: "{{contact.company}}",
        topics: "{{contact.intent.matchedTopics}}",
        second: "{{contact.intent.matchedTopics.1.topicName}}",
      }),
    ).toEqual({
      score: 90,
      region: "IL",
      nothing: null,
      company: expect.objectContaining({ name: "Footfall Test", revenueRange: null }),
      topics: [expect.objectContaining({ topicId: 1, topicName: "Sample Topic" })],
      second: null,
    })
  })

  it("inside a text becomes text, and nothing if its value is null", () => {
    expect(
      written({
        note: "{{contact.fullName}} ({{contact.headline}}) scored {{contact.intent.score}}.",
        topic: "{{contact.intent.matchedTopics.0.topicName}}!",
      }),
    ).toEqual({ note: "Sam Sample () scored 90.", topic: "Sample Topic!" })
  })

  it("is null or empty below a part that is null, such as the intent of an audience without topics", () => {
    const { contact, ...rest } = sampleData as { readonly contact: ResultRow }
    const data = { ...rest, contact: { ...contact, intent: null } }

    expect(
      written({ score: "{{contact.intent.score}}", text: "score {{contact.intent.score}}" }, data),
    ).toEqual({ score: null, text: "score " })
  })

  it("can be any path of the event's data, at any depth of lists and objects", () => {
    expect(
      written({
        properties: [{ property: "email", values: ["{{contact.email}}", 1, true, null] }],
        audience: { id: "{{audience.id}}", run: "{{runId}}", change: "{{change}}" },
      }),
    ).toEqual({
      properties: [
        { property: "email", values: ["sam.sample@footfall-test.example", 1, true, null] },
      ],
      audience: {
        id: "00000000-0000-4000-8000-000000000004",
        run: "00000000-0000-4000-8000-000000000002",
        change: "added",
      },
    })
  })

  it.each([
    "contact.emial",
    "contact",
    "email",
    "contact.__proto__",
    "contact.constructor.name",
    "contact.toString",
    "contact.email.length",
    "contact.intent.matchedTopics.length",
    "contact.intent.matchedTopics.-1",
    "contact.intent.matchedTopics.100",
    "organizationId",
    "",
    "{contact.email",
  ])("that is no path of one value is refused inside a text, at its place: %s", (path) => {
    expect(issuesOf({ properties: [{ value: `Hi {{${path}}}` }] })).toEqual([
      expect.stringMatching(
        /^\/body\/template\/properties\/0\/value format: Expected .*, received "/,
      ),
    ])
  })

  it("without its end, and in a key, is refused", () => {
    expect(issuesOf({ a: "Hi {{contact.email", "{{contact.email}}": 1, "x/y~z": "{{" })).toEqual([
      expect.stringMatching(/^\/body\/template\/a format: Expected }} after each {{/),
      "/body/template/{{contact.email}} format: Expected no placeholder in a key.",
      expect.stringMatching(/^\/body\/template\/x~1y~0z format: /),
    ])
  })
})

it("quotes, backslashes and line breaks of a value stay inside its text", () => {
  const value = '"}, \\ {"a":1\n'
  const template = storedTemplate('{"a":"{{contact.email}}!"}')

  expect(JSON.parse(template.written({ contact: { email: value } }))).toEqual({ a: `${value}!` })
})

it("values never change the structure of the body, whatever they contain", () => {
  const texts = fc.string({ unit: "grapheme" })
  fc.assert(
    fc.property(texts, texts, texts, (text, before, value) => {
      fc.pre(!text.includes("{{") && !before.includes("{") && !before.includes("}"))
      const data = { contact: { email: value } }
      const template = {
        [text]: [text, "{{contact.email}}", `${before}{{contact.email}}${before}`],
      }
      const body = storedTemplate(JSON.stringify(template)).written(data)
      expect(JSON.parse(body)).toEqual(
        JSON.parse(JSON.stringify({ [text]: [text, value, before + value + before] })),
      )
    }),
  )
})

it("keys keep their order and their names, also those of built-in properties", () => {
  const template = JSON.parse('{"z":1,"__proto__":{"a":"{{change}}"},"constructor":2,"a":3}')
  const body = storedTemplate(JSON.stringify(template)).written(sampleData)

  expect(body).toBe('{"z":1,"__proto__":{"a":"added"},"constructor":2,"a":3}')
})

describe("a template that is too large", () => {
  it("is refused by its bytes, depth, placeholders and body", () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })

    expect(issuesOf({ a: "é".repeat(templateBytesMax / 2) })).toEqual([
      expect.stringMatching(/^\/body\/template max_length: /),
    ])
    expect(issuesOf(deep(20))).toEqual([])
    expect(issuesOf(deep(21))).toEqual([
      expect.stringMatching(/^\/body\/template(\/a){20} too_deep: /),
    ])
    expect(issuesOf({ a: Array.from({ length: 201 }, () => "{{change}}") })).toEqual([
      "/body/template max_items: Expected at most 200 placeholders, received 201.",
    ])
    expect(issuesOf({ a: Array.from({ length: 40 }, () => "{{contact}}") })).toEqual([
      expect.stringMatching(/^\/body\/template max_length: Expected a template whose body is/),
    ])
  })

  it("lists at most 100 mistakes", () => {
    expect(issuesOf({ a: Array.from({ length: 500 }, () => "{{x}}") })).toHaveLength(100)
  })
})

it("a body stays below 20 KB, because long texts of the contact are cut wherever they are filled in", () => {
  const { contact } = sampleData as { readonly contact: ResultRow }
  const source = {
    organizationId: "o",
    audience: { id: "a", name: "Buyers" },
    destination: { id: "d", name: "CRM", configRevision: 1 },
    delivery: { id: "x", mode: "initial", sourceRunId: "r", baselineRunId: null, sourceCount: 1 },
    run: { id: "r", dataDate: "2026-03-10", runType: "manual", resultCount: 1, completedAt: "" },
  } satisfies EventSource
  const template = storedTemplate(
    JSON.stringify({ a: "{{contact.headline}}", b: "{{contact.jobTitle}}: {{contact.headline}}" }),
  )
  const long = { ...contact, headline: "h".repeat(12_000), jobTitle: "j".repeat(12_000) }

  const body = contactUpserted(
    { id: "msg_1", timestamp: "2026-03-11T09:05:00.000Z" },
    source,
    { sequence: 1, change: "added", contact: long },
    templated(template),
  )

  const { a, b } = JSON.parse(body) as { readonly a: string; readonly b: string }
  expect(Buffer.byteLength(body)).toBeLessThan(20_000)
  expect(Buffer.byteLength(body)).toBeGreaterThan(19_000)
  expect(a).toMatch(/^h+…$/)
  expect(b).toMatch(/^j+…: h+…$/)
})
