// Checks Slack, Teams and Discord messages against their published limits, and that text from strangers stays text
// (spec 14.1).
import type * as AdaptiveCards from "adaptivecards"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { canonicalFields, type CanonicalVisitor } from "../../../people/visitors/visitor.ts"
import type { Envelope, Member, PageView, SentCompany } from "../payload.ts"
import { bodyOf, companyBodyOf, digestBodyOf, memberBodyOf, pageBodyOf } from "./format.ts"
import type { MessageFormat } from "../webhook.ts"
import { addressed, type AlertLetter } from "./email.ts"
import { companyDigestOf, digestOf, pageDigestOf } from "./notice.ts"

const envelope: Envelope = {
  id: "msg_vznk635jyuu43bebfprp7pofzk",
  event: "visitor.identified",
  timestamp: "2026-03-11T09:00:00.000Z",
  trigger: "first_match",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  segment: { id: "5b1f7a52-0f0d-4c53-9d0f-0f7f8a5f2a11", name: "Buyers" },
  pixel: { id: "cdd19037-47fb-4e21-a054-2da787925aea", domain: "tidewater.example" },
}
const consoleUrl = "https://footfall.example.com"
const formats = ["slack", "teams", "discord", "email"] as const

/** Without the invisible characters that keep mail programs from making links. */
const read = (body: string): string => body.replaceAll(/&zwnj;|\u200c/g, "")
const emailHash = "ab".repeat(32)

const visitor = (change: Partial<CanonicalVisitor>): CanonicalVisitor =>
  ({
    ...Object.fromEntries(Object.keys(canonicalFields).map((name) => [name, null])),
    email: "jane@acme.example",
    emailHash,
    fullName: "Jane Mercer",
    jobTitle: "Head of Freight",
    companyName: "Acme",
    companyDomain: "acme.example",
    industry: "logistics",
    pageviews: 3,
    visitedPages: ["https://tidewater.example/pricing", "https://tidewater.example/"],
    referrerDomain: "news.example",
    ...change,
  }) as unknown as CanonicalVisitor

const company = (change: Partial<SentCompany> = {}): SentCompany => ({
  domain: "acme.example",
  name: "Acme",
  industry: "logistics",
  employeeCount: 340,
  totalRevenue: null,
  linkedinUrl: null,
  city: "Hamburg",
  state: null,
  country: "DE",
  firstSeenAt: "2026-03-10T14:02:11.000Z",
  lastSeenAt: "2026-03-11T08:55:40.000Z",
  sessions: 4,
  anonymousSessions: 2,
  pageviews: 11,
  pricingPageViews: 2,
  demoPageViews: 1,
  peopleCount: 1,
  landingPage: "https://tidewater.example/pricing",
  referrerDomain: "news.example",
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  ...change,
})
const companyEnvelope: Envelope = {
  ...envelope,
  event: "company.identified",
  trigger: "company_seen",
  segment: null,
}

const pageEnvelope: Envelope = {
  ...envelope,
  event: "page.viewed",
  trigger: "page_viewed",
  segment: null,
}
const view = (change: Partial<PageView> = {}): PageView => ({
  page: { path: "/pricing", title: "Pricing", secondsVisible: 84 },
  visitor: visitor({}),
  company: company(),
  score: null,
  list: { id: "8c1f6f0e-6f0f-4f6e-9a53-0b8f4f1c2d3e", name: "Target accounts" },
  ...change,
})

const counts = (change: Partial<Parameters<typeof digestOf>[0]>) => ({
  people: 1,
  identified: 0,
  entered: 0,
  left: 0,
  segment: null,
  ...change,
})

const companyCounts = (companies: number, change: object = {}) => ({
  companies,
  entered: 0,
  left: 0,
  segment: null,
  ...change,
})

/** Names a stranger could choose. */
const hostile = [
  "<!channel>",
  "<@U024BE7LH>",
  "<https://evil.example|Invoice>",
  "[x](https://evil.example)",
  "**bold** _em_ ~s~ `code` > quote",
  "@everyone",
  "<@&165511591545143296>",
  "{{DATE(2026-03-11T09:00:00Z)}}",
  "https://evil.example/a",
  "a\u202Eb\nc\u0000d",
  "\u200B\u2060 ",
  "&amp; & < >",
  "𝒜".repeat(5_000),
  "<".repeat(5_000),
  "[".repeat(5_000),
]

const tagOfOurs =
  /^<(!doctype html|!-- end --|meta [\w\s="',:;.-]+|\/?(html|head|title|style|body|table|tr|td|h1|p|a)( [^<>]*)?)>$/

type Json = { readonly [key: string]: unknown }

const bodies = (format: MessageFormat, text: string): ReadonlyArray<Json> => {
  const of = visitor({
    fullName: text,
    jobTitle: text,
    companyName: text,
    industry: text,
    utmSource: text,
    visitedPages: Array.from({ length: 20 }, () => text),
  })
  const people = Array.from({ length: 20 }, () => of)
  const theirs = company({
    name: text,
    industry: text,
    city: text,
    state: text,
    landingPage: text,
    utmSource: text,
    utmCampaign: text,
  })
  const companies = Array.from({ length: 20 }, () => theirs)
  const viewed = view({
    page: { path: `/${text}`, title: text, secondsVisible: 84 },
    visitor: of,
    company: theirs,
    score: {
      total: 72,
      fit: 80,
      interest: 64,
      hot: true,
      top: { part: "fit", code: "rule", params: { name: text }, points: 40 },
    },
    list: { id: "x", name: text },
  })
  const inSegment = { ...pageEnvelope, segment: { id: "x", name: text } }
  const views = Array.from({ length: 20 }, () => viewed)
  return [
    pageBodyOf(format, inSegment, viewed, consoleUrl),
    pageBodyOf(format, inSegment, { ...viewed, visitor: null }, consoleUrl),
    digestBodyOf(format, pageDigestOf(500, "daily", views, consoleUrl)),
    companyBodyOf(format, companyEnvelope, theirs, consoleUrl),
    digestBodyOf(format, companyDigestOf(companyCounts(500), "daily", companies, consoleUrl)),
    bodyOf(format, { ...envelope, segment: { id: "x", name: text } }, of, consoleUrl),
    memberBodyOf(format, inSegment, { visitor: of, company: null }, consoleUrl),
    memberBodyOf(format, inSegment, { visitor: null, company: theirs }, consoleUrl),
    digestBodyOf(format, digestOf(counts({ people: 500 }), "daily", people, consoleUrl)),
    digestBodyOf(
      format,
      digestOf(counts({ people: 1, entered: 1, segment: text }), "hourly", [of], consoleUrl),
    ),
  ].map((body) => JSON.parse(body) as Json)
}

it("a page view has all its facts in Slack, in sections of at most ten", () => {
  const [body] = bodies("slack", "Freight")
  const sections = (body!["blocks"] as ReadonlyArray<Json>).flatMap(({ fields }) =>
    fields === undefined ? [] : [fields as ReadonlyArray<{ readonly text: string }>],
  )

  expect(sections.map((fields) => fields.length)).toEqual([10, 2])
  expect(sections.flat().map(({ text }) => text.split(":")[0])).toEqual([
    "Page",
    "Visible for",
    "Email",
    "Job",
    "Company",
    "Industry",
    "Employees",
    "Score",
    "Why",
    "Source",
    "List",
    "Segment",
  ])
})

// The package's modules import each other in a way that only bundlers resolve; this file is the exception.
const { AdaptiveCard, SerializationContext, Versions } = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.js",
) as typeof AdaptiveCards

/** Errors that Microsoft's own parser reports for a card, for clients of version 1.4. */
const objections = (card: unknown): ReadonlyArray<string> => {
  const context = new SerializationContext(Versions.v1_4)
  const parsed = new AdaptiveCard()
  parsed.parse(card, context)
  return [
    ...Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message),
    ...parsed.validateProperties().validationEvents.map(({ message }) => message),
  ]
}

/** Every object inside a value. */
function* objectsIn(value: unknown): Iterable<Json> {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

const texts = (value: unknown): ReadonlyArray<string> =>
  [...objectsIn(value)].flatMap((one) =>
    Object.values(one).filter((inner): inner is string => typeof inner === "string"),
  )

describe.each(hostile.map((text) => [text.slice(0, 40), text] as const))("%j", (_, text) => {
  it("is text in Slack, within the limits of Block Kit", () => {
    for (const body of bodies("slack", text)) {
      const blocks = body["blocks"] as ReadonlyArray<Json>
      expect(blocks.length).toBeLessThanOrEqual(50)
      for (const block of blocks) {
        expect(["header", "section", "context"]).toContain(block["type"])
        const { fields = [] } = block as { readonly fields?: ReadonlyArray<Json> }
        expect(fields.length).toBeLessThanOrEqual(10)
        for (const one of objectsIn(block)) {
          const { text: inner, type } = one as { readonly text?: string; readonly type?: string }
          if (type === "mrkdwn") {
            expect(inner).toMatch(
              /^<https:\/\/footfall\.example\.com\/console\/(people(\/[0-9a-f]{64})?|companies(\/acme\.example)?)\|Open in Footfall>$/,
            )
          }
          if (type !== "plain_text") continue
          expect(one["emoji"]).toBe(false)
          expect(inner!.length).toBeGreaterThan(0)
          expect(inner!.length).toBeLessThanOrEqual(block["type"] === "header" ? 150 : 2_000)
          expect(inner).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
        }
      }
      expect(String(body["text"])).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
      expect(body["mrkdwn"]).toBe(false)
    }
  })

  it("is text in Teams, in a card of less than 28 KB", () => {
    for (const body of bodies("teams", text)) {
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28_000)
      const [attachment] = body["attachments"] as ReadonlyArray<{ readonly content: Json }>
      const {
        actions,
        body: parts,
        type,
        version,
      } = attachment!.content as Json & {
        readonly body: ReadonlyArray<Json>
      }
      expect([body["type"], type, version]).toEqual(["message", "AdaptiveCard", "1.4"])
      // Text blocks and facts would be parsed as Markdown.
      for (const part of parts) expect(part["type"]).toBe("RichTextBlock")
      for (const part of objectsIn(parts)) {
        if (part["type"] === "TextRun") expect(part["text"]).not.toContain("{{")
      }
      expect(actions).toMatchObject([{ type: "Action.OpenUrl" }])
      expect(objections(attachment!.content)).toEqual([])
      expect(parts.length).toBeGreaterThan(1)
    }
  })

  it("is text in Discord, within the limits of an embed", () => {
    for (const body of bodies("discord", text)) {
      expect(body["allowed_mentions"]).toEqual({ parse: [] })
      const [embed] = body["embeds"] as ReadonlyArray<Json>
      const { fields = [], title } = embed as Json & {
        readonly fields?: ReadonlyArray<{ readonly name: string; readonly value: string }>
        readonly title: string
      }
      const description = String(embed!["description"] ?? "")
      expect(title.length).toBeLessThanOrEqual(256)
      expect(description.length).toBeLessThanOrEqual(4_096)
      expect(fields.length).toBeLessThanOrEqual(25)
      for (const { name, value } of fields) {
        expect(name.length).toBeLessThanOrEqual(256)
        expect(value.length).toBeGreaterThan(0)
        expect(value.length).toBeLessThanOrEqual(1_024)
      }
      const all = [title, description, ...fields.flatMap(({ name, value }) => [name, value])]
      expect(all.join("").length).toBeLessThanOrEqual(6_000)
      const ours =
        /\]\(https:\/\/footfall\.example\.com\/console\/(people\/[0-9a-f]{64}|companies\/acme\.example)\)/g
      const strangers = all.map((one) => one.replaceAll(ours, "").replaceAll(/^\[/gm, ""))
      for (const one of strangers) expect(one).not.toMatch(/(?<!\\)(?:\\\\)*[*_~`|>#[\]()<:@]/)
    }
  })

  it("is text in an email, where a mail program finds no link but ours", () => {
    for (const body of bodies("email", text)) {
      const letter = addressed(body as unknown as AlertLetter, {
        webhookName: text,
        unsubscribeUrl: `${consoleUrl}/unsubscribe?token=x`,
      })
      const tags = [...letter.html.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
      for (const tag of tags) expect(tag).toMatch(tagOfOurs)
      const links = [...letter.html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href]) => href)
      expect(links).toContain(`${consoleUrl}/unsubscribe?token=x`)
      for (const link of links) {
        expect(link).toMatch(
          /^https:\/\/footfall\.example\.com\/(console\/(people\/[0-9a-f]{64}|people|companies|companies\/acme\.example)|unsubscribe\?token=x)$/,
        )
      }
      for (const one of [letter.html, letter.text]) {
        expect(one).not.toMatch(/https?:\/\/evil|evil\.example/)
      }
      expect(letter.subject.length).toBeLessThanOrEqual(200)
      expect(letter.subject).not.toMatch(/[\r\n]/)
    }
  })

  it.each(formats)("hides no character in %s", (format) => {
    for (const one of bodies(format, text).flatMap(texts)) {
      expect(one.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
      expect(one.isWellFormed()).toBe(true)
    }
  })
})

it.each(formats)(
  "a body in %s is less than 20 KB, and a digest counts the people it does not name",
  (format) => {
    const text = "漢".repeat(500)
    const of = visitor({ fullName: text, jobTitle: text, companyName: text })
    const people = Array.from({ length: 20 }, () => of)
    const many = counts({ people: 500, identified: 12 })

    const digest = digestBodyOf(format, digestOf(many, "daily", people, consoleUrl))

    for (const body of bodies(format, text)) {
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(20_000)
    }
    // Each named entry has a link, in an email in both of its bodies; one more link leads to all of them.
    const links = digest.split("/console/people/").length - 1
    const named = format === "email" ? links / 2 : links
    expect(named).toBeGreaterThan(0)
    expect(named).toBeLessThan(20)
    expect(digest).toContain(`and ${500 - named} more`)
  },
)

it("Microsoft's parser rejects an invalid card", () => {
  const run = { type: "TextRun", text: "Jane", size: "Huge" }
  const body = [
    { type: "RichTextBlock", inlines: [run] },
    { type: "Heading", text: "Jane" },
  ]

  expect(objections({ type: "AdaptiveCard", version: "1.4", body })).toHaveLength(2)
})

it("the guide shows what is sent", () => {
  const guide = readFileSync(
    new URL("../../../../../../docs/how-to/tell-a-chat-channel.md", import.meta.url),
    "utf8",
  )
  const shown = [...guide.matchAll(/```json\n([^]*?)\n```/g)].map(([, text]) => JSON.parse(text!))
  const jane = visitor({
    emailHash: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
    visitedPages: ["https://example.com/pricing", "https://example.com/"],
  })
  const pixel = { ...envelope.pixel, domain: "example.com" }

  const views = [view({ visitor: jane }), view({ visitor: null })]
  expect(shown).toEqual(
    [
      ...views.map((one) => pageBodyOf("slack", { ...pageEnvelope, pixel }, one, consoleUrl)),
      ...(["teams", "discord"] as const).map((format) =>
        pageBodyOf(format, { ...pageEnvelope, pixel }, views[0]!, consoleUrl),
      ),
      digestBodyOf("slack", pageDigestOf(2, "daily", views, consoleUrl)),
    ].map((body): unknown => JSON.parse(body)),
  )
})

describe.each(formats)("a segment in the format %s", (format) => {
  const pricing = { id: "5b5c6f4e-2a4c-4a53-9f6e-0d0c9c1f7b11", name: "Pricing readers" }
  const member = (
    trigger: "entered_segment" | "left_segment",
    event: Envelope["event"],
    who: Partial<Member> = {},
  ) =>
    read(
      memberBodyOf(
        format,
        { ...envelope, event, trigger, segment: pricing },
        { visitor: visitor({}), company: null, ...who },
        consoleUrl,
      ).replaceAll("\\", ""),
    )

  it("says who entered and who left, of which company, and links to them", () => {
    const entered = member("entered_segment", "segment.entered")

    expect(entered).toContain("Jane Mercer of Acme entered Pricing readers")
    expect(entered).toContain(`https://footfall.example.com/console/people/${emailHash}`)
    expect(entered).toContain("tidewater.example")
    expect(member("left_segment", "segment.left")).toContain(
      "Jane Mercer of Acme left Pricing readers",
    )
    expect(
      member("entered_segment", "segment.entered", { visitor: null, company: company() }),
    ).toContain("Acme entered Pricing readers")
    expect(member("left_segment", "webhook.test")).toContain(
      "Jane Mercer of Acme (a test) left Pricing readers",
    )
  })

  it("gathered has how many companies entered or left", () => {
    const of = companyCounts(3, { entered: 2, left: 1, segment: "Pricing readers" })
    const text = read(digestBodyOf(format, companyDigestOf(of, "daily", [company()], consoleUrl)))

    expect(text.replaceAll("\\", "")).toContain(
      "3 companies in the last day: 2 entered Pricing readers, 1 left Pricing readers",
    )
  })

  it("gathered has how many entered or left, and which segment", () => {
    const of = counts({ people: 3, entered: 2, left: 1, segment: "Pricing readers" })
    const text = read(digestBodyOf(format, digestOf(of, "daily", [visitor({})], consoleUrl)))

    expect(text.replaceAll("\\", "")).toContain(
      "3 visitors in the last day: 2 entered Pricing readers, 1 left Pricing readers",
    )
  })
})

describe.each(formats)("a page view in the format %s", (format) => {
  const message = (change: Partial<PageView> = {}) =>
    read(pageBodyOf(format, pageEnvelope, view(change), consoleUrl).replaceAll("\\", ""))

  it("says the score, and whether it is hot", () => {
    const score = {
      total: 82,
      fit: 90,
      interest: 74,
      hot: true,
      top: { part: "interest", code: "visited_pricing", params: { count: 3 }, points: 30 } as const,
    }

    expect(message({ score })).toMatch(/Score.*82, hot/)
    expect(message({ score: { ...score, hot: false } })).toMatch(/Score.*82(?!, hot)/)
    expect(message({ score })).toMatch(/Why.*viewed pricing 3 times or more/s)
    expect(message({ score: { ...score, top: null } })).not.toContain("Why")
    expect(message()).not.toContain("Score")
  })

  it.each([
    "Jane Mercer viewed /pricing on tidewater.example",
    "1 minute 24 seconds",
    "jane@acme.example",
    "Acme (acme.example)",
    "Target accounts",
    `https://footfall.example.com/console/people/${emailHash}`,
  ])("says %s", (text) => {
    expect(message()).toContain(text)
  })

  it("of someone who is not identified names their company, and links to it", () => {
    const text = message({ visitor: null, page: { ...view().page, secondsVisible: null } })

    expect(text).toContain("Someone at Acme viewed /pricing on tidewater.example")
    expect(text).toContain("https://footfall.example.com/console/companies/acme.example")
    expect(text).not.toContain("Visible for")
    expect(text.replace('"contentUrl":null', "")).not.toContain("null")
  })
})

describe.each(formats)("a message in the format %s", (format) => {
  const message = (change: Partial<CanonicalVisitor> = {}) =>
    read(bodyOf(format, envelope, visitor(change), consoleUrl).replaceAll("\\\\", ""))

  it.each([
    "Jane Mercer",
    "Head of Freight",
    "Acme (acme.example)",
    "/pricing, /",
    "news.example",
    "Buyers",
    `https://footfall.example.com/console/people/${emailHash}`,
  ])("says %s", (text) => {
    expect(message()).toContain(text)
  })

  it("shows a person with only an address by the address", () => {
    const text = message({
      fullName: null,
      jobTitle: null,
      companyName: null,
      companyDomain: null,
      visitedPages: [],
    })

    expect(text).toContain("jane@acme.example visited tidewater.example")
    expect(text.replace('"contentUrl":null', "")).not.toContain("null")
  })

  it("about many people has their number and names the first 20", () => {
    const people = Array.from({ length: 20 }, (_, place) => visitor({ fullName: `P ${place}.` }))
    const many = counts({ people: 31, identified: 30 })
    const text = read(digestBodyOf(format, digestOf(many, "daily", people, consoleUrl)))

    expect(text.replaceAll("\\\\", "")).toContain(
      "31 visitors in the last day: 30 new, 1 active again",
    )
    expect(text).toContain("P 0.")
    expect(text).toContain("P 19.")
    expect(text).toContain("and 11 more")
  })
})

describe.each(formats)("a company in the format %s", (format) => {
  it.each([
    "Acme visited tidewater.example",
    "acme.example",
    "logistics",
    "340",
    "Hamburg, DE",
    "4 sessions, 11 page views, 2 on pricing, 1 on the demo",
    "1 person",
    "/pricing",
    "news.example",
    "https://footfall.example.com/console/companies/acme.example",
  ])("says %s", (text) => {
    const message = read(companyBodyOf(format, companyEnvelope, company(), consoleUrl))

    expect(message.replaceAll("\\\\", "")).toContain(text)
  })

  it("names a company with only a domain by the domain", () => {
    const unknown = { name: null, industry: null, employeeCount: null, city: null, country: null }
    const message = read(companyBodyOf(format, companyEnvelope, company(unknown), consoleUrl))

    expect(message).toContain("acme.example visited tidewater.example")
    expect(message.replace('"contentUrl":null', "")).not.toContain("null")
  })

  it("about many companies has their number and names the first 20", () => {
    const first = Array.from({ length: 20 }, (_, place) => company({ name: `C ${place}.` }))
    const text = read(
      digestBodyOf(format, companyDigestOf(companyCounts(31), "daily", first, consoleUrl)),
    )

    expect(text).toContain("31 companies in the last day")
    expect(text).toContain("C 0.")
    expect(text).toContain("C 19.")
    expect(text).toContain("and 11 more")
  })
})

it("the body of a company with the longest texts is below 20 KB and keeps its numbers", () => {
  const long = "ä".repeat(10_000)
  const body = companyBodyOf(
    "standard",
    companyEnvelope,
    company({ name: long, industry: long, city: long, landingPage: long, utmSource: long }),
    consoleUrl,
  )

  expect(Buffer.byteLength(body)).toBeLessThan(20_000)
  expect(JSON.parse(body)).toMatchObject({ sessions: 4, landingPage: null, domain: "acme.example" })
})
