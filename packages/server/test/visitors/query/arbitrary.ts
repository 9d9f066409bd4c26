// Random people and random rules that are related: texts come from one small pool, whole or in part, so that about
// as many predicates match as fail.
import * as fc from "fast-check"
import { exposedClickIds } from "../../../src/collect/visits/attribution.ts"
import { channels } from "../../../src/collect/visits/channel.ts"
import {
  type FieldType,
  isCompanyField,
  isOfOptional,
  type OfKind,
  type ValueKind,
} from "@footfall/normal-form/rule-fields"
import {
  type Field,
  fieldNames,
  ofKindOf,
  operatorsOf,
  typeOfField,
  valueKindOf,
} from "../../../src/people/visitors/query/predicate.ts"
import { type Pixel, type Person, type Visit } from "./person.ts"
import { listOf, members } from "./put-people.ts"

export const now = Date.parse("2026-03-11T09:00:00.000Z")
const hour = 3_600_000
const day = 24 * hour

const texts = [
  "VP",
  "vp sales",
  "Director",
  "Σίσυφος",
  "ΣΊΣΥΦΟΣ",
  "Straße",
  "STRASSE",
  "İstanbul",
  "istanbul",
  "ſmith & ſons",
  "Kelvin",
  "Ёлка",
  "50% off_season",
  "a\\b",
  "a%b_c",
  "日本語",
  "😀 ok",
  "acme.example",
  "Ⅷ",
]
const paths = [
  "/",
  "/Pricing",
  "/pricing/",
  "/pricing/plans",
  "/re%CC%81sume%CC%81",
  "/r%c3%a9sum%c3%a9/",
  "/résumé",
  "/product/a_b",
  "/%C3%84-100%25",
  "/docs/a.b",
  "/a*b",
]
const eventNames = ["Signed up", "signed\nup", "ΔEMO booked", "a_b%", "Checkout"]
const properties = ["plan", "seats", "__proto__"]
const filters = [
  ...paths.filter((path) => path !== "/"),
  "/$",
  "/*/plans",
  "/product/*",
  "/*",
  "/*/*",
  "/docs",
  "/PRICING/",
  "/pricing/*/",
  "/pric",
  "/a.b",
  "/nowhere",
]
const keys = ["plan", "Plan", "a.b-c_1"]

const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null, freq: 2 })
const stored = orNull(fc.constantFrom("", ...texts))

/** Times on and next to the edges of every window. */
const moment = fc
  .tuple(fc.constantFrom(0, 1, 7, 14, 30, 90, 200), fc.constantFrom(-1, 0, 1, 5 * hour))
  .map(([days, more]) => now - days * day - more)

const url = fc
  .tuple(
    fc.constantFrom("http://a.example", "https://www.b.example:8443"),
    fc.constantFrom(...paths),
  )
  .map(([origin, path]) => origin + path)

const said: fc.Arbitrary<string | number | boolean> = fc.oneof(
  fc.constantFrom("", ...texts),
  fc.constantFrom(0, 3, 0.5, -1, 1e300),
  fc.boolean(),
)

const visit: fc.Arbitrary<Visit> = fc
  .record({
    pixel: fc.nat(1),
    endedAt: moment,
    lengthMs: fc.constantFrom(0, 1_500, 20 * 60_000, 13 * hour),
    activeSeconds: orNull(fc.nat(300)),
    pageviews: fc.nat(4),
    pricingPageViews: fc.nat(2),
    demoPageViews: fc.nat(1),
    formSubmissions: fc.nat(1),
    pages: fc.array(fc.tuple(url, fc.integer({ min: 1, max: 3 })), { maxLength: 3 }),
    events: fc.array(
      fc.record({
        name: fc.constantFrom(...eventNames),
        properties: fc
          .uniqueArray(fc.tuple(fc.constantFrom(...properties), said), { selector: ([key]) => key })
          .map((entries) => Object.fromEntries(entries)),
      }),
      { maxLength: 5 },
    ),
    isUncounted: fc.nat(5).map((dice) => dice === 0),
    referrerDomain: orNull(fc.constantFrom("search.example", "news.acme.example")),
    channel: fc.constantFrom(...channels),
    utmSource: stored,
    utmMedium: stored,
    utmCampaign: stored,
    utmTerm: stored,
    utmContent: stored,
    clickIds: fc.subarray(["dclid", ...exposedClickIds]),
  })
  .map(({ lengthMs, pages, ...rest }) => ({
    ...rest,
    startedAt: rest.endedAt - lengthMs,
    urls: pages.map(([address]) => address),
    views: pages.map(([, count]) => count),
  }))

const attribution = fc.dictionary(
  fc.constantFrom(...keys),
  fc.tuple(fc.constantFrom(...texts), fc.constantFrom(1, 2)),
  { noNullPrototype: true },
)

const topicIds = [1, 2, 5, 90]

const points = fc.constantFrom(0, 1, 3, 5, 90, 100)
const score = orNull(fc.record({ total: points, fit: points, interest: points }))

const owner = orNull(fc.constantFrom(...members))
const tags = fc.subarray(texts, { maxLength: 3 })

export const person: fc.Arbitrary<Omit<Person, "id">> = fc.record({
  email: orNull(fc.constantFrom("jane@acme.example", "joe@Straße.example", "x@mail.example")),
  otherAddress: orNull(
    fc.record({
      email: fc.constant("other@mail.example"),
      kind: fc.constantFrom("business" as const, "personal" as const),
    }),
  ),
  kind: fc.constantFrom("business", "personal"),
  suppressed: fc.boolean(),
  heldBack: fc.nat(9).map((dice) => dice === 0),
  companyIsListed: fc.boolean(),
  listedAddress: fc.constantFrom("first" as const, "other" as const, null),
  profile: fc.record({
    first_name: stored,
    last_name: stored,
    company_name: stored,
    company_domain: stored,
    industry: stored,
    company_zip_code: stored,
    company_employee_count: orNull(fc.nat(3)),
    company_total_revenue: stored,
    job_title: stored,
    seniority: stored,
    department: stored,
    city: stored,
    state: stored,
    country: stored,
    linkedin_url: stored,
    phones: fc.subarray(["+14155550134"]),
    phones_dnc: orNull(fc.array(fc.boolean(), { maxLength: 2 })),
  }),
  owner,
  companyOwner: owner,
  tags,
  companyTags: tags,
  score,
  companyScore: score,
  topics: fc.uniqueArray(fc.tuple(fc.constantFrom(...topicIds), fc.constantFrom(1, 3, 5, 90)), {
    maxLength: 3,
    selector: ([topicId]) => topicId,
  }),
  attribution: fc.tuple(attribution, attribution),
  visits: fc.array(visit, { minLength: 1, maxLength: 5 }),
  anonymousVisits: fc.array(visit, { maxLength: 2 }),
})

const number = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.constantFrom(0.5, 1e300, 90, 1200))

const isListField = (field: string) => field === "company.list" || field === "contact.list"

const stockOf = (field: string, pixels: ReadonlyArray<Pixel>): ReadonlyArray<string> => {
  if (field.endsWith("_paths")) return paths
  if (field === "behavior.custom_events") return eventNames
  if (field === "attribution.channel") return channels
  if (field === "attribution.click_id_types") return ["dclid", ...exposedClickIds]
  if (isListField(field)) return [listOf(field, pixels)]
  if (field === "pixel.id") return pixels.map(({ id }) => id)
  if (field === "pixel.domain") return pixels.map(({ domain }) => domain)
  return texts
}

/** A text from the pool in any case, whole or in part, or empty, or another text. */
const textFor = (stock: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc
    .record({
      text: fc.constantFrom(...stock),
      from: fc.nat(6),
      until: fc.nat(12),
      isWhole: fc.boolean(),
      mode: fc.nat(11),
    })
    .map(({ from, isWhole, mode, text, until }) => {
      if (mode === 0) return ""
      if (mode === 1) return "nowhere"
      const points = [...text]
      const part = isWhole ? text : points.slice(from, Math.max(until, from + 1)).join("")
      const cased = mode < 5 ? part.toLowerCase() : mode < 8 ? part.toUpperCase() : part
      return cased.trim()
    })

/** The last one is no member. */
const memberId = fc.constantFrom(...members, "00000000-0000-4000-8000-00000000000f")

const valueFor = (kind: ValueKind, stock: ReadonlyArray<string>): fc.Arbitrary<unknown> => {
  switch (kind) {
    case "number":
      return number
    case "range":
      return fc.tuple(number, number)
    case "text":
      return textFor(stock)
    case "scalar":
      return fc.oneof(number, textFor([...stock, "true"]))
    case "texts":
      return fc.array(textFor(stock), { minLength: 1, maxLength: 3 })
    case "numbers":
      return fc.array(fc.oneof(fc.constantFrom(...topicIds), number), {
        minLength: 1,
        maxLength: 3,
      })
    case "boolean":
      return fc.boolean()
    case "list":
      return fc.constantFrom(...stock)
    case "member":
      return memberId
    case "members":
      return fc.array(memberId, { minLength: 1, maxLength: 3 })
    case "moment":
      return moment.map((at) => new Date(at).toISOString())
    case "duration":
      return fc.constantFrom("1h", "24h", "7d", "14d", "30d", "200d", "3650d")
  }
}

const types: ReadonlyArray<FieldType> = [
  "number",
  "text",
  "texts",
  "boolean",
  "datetime",
  "property",
  "list",
  "numbers",
  "member",
]

const ofs: Readonly<Record<OfKind, fc.Arbitrary<string | number>>> = {
  event: fc.constantFrom(...eventNames, "SIGNED UP"),
  property: fc
    .tuple(fc.constantFrom(...eventNames), fc.constantFrom(...properties, "Plan"))
    .map((names) => names.join(".")),
  path: fc.constantFrom(...filters),
  topic: fc.oneof(fc.constantFrom(...topicIds), number),
}

const ofFor = (field: Field): fc.Arbitrary<{ readonly of?: string | number }> => {
  const kind = ofKindOf(field)
  if (kind === undefined) return fc.constant({})
  const named = ofs[kind].map((of) => ({ of }))
  return isOfOptional(field) ? fc.oneof(named, fc.constant({})) : named
}

const anyField: fc.Arbitrary<Field> = fc.constantFrom(
  ...fieldNames,
  ...keys.map((key) => `custom.${key}` as const),
)

export const predicate = (
  pixels: ReadonlyArray<Pixel>,
  fields: fc.Arbitrary<Field> = anyField,
): fc.Arbitrary<unknown> =>
  fields.chain((field) => {
    const type = types.find((each) => each === typeOfField(field))!
    return fc
      .constantFrom(...operatorsOf(type))
      .chain((op) =>
        fc
          .tuple(ofFor(field), valueFor(valueKindOf(type, op)!, stockOf(field, pixels)))
          .map(([of, value]) => ({ field, ...of, op, value })),
      )
  })

/** Fields of a rule that selects companies. */
export const companyFields = fieldNames.filter(isCompanyField)

/** Trees of at most 8 levels and a few predicates. */
export const rule = (
  pixels: ReadonlyArray<Pixel>,
  fields?: fc.Arbitrary<Field>,
): fc.Arbitrary<unknown> =>
  fc.letrec<{ node: unknown; leaf: unknown; group: unknown }>((tie) => ({
    leaf: predicate(pixels, fields),
    group: fc
      .tuple(fc.constantFrom("all", "any"), fc.array(tie("node"), { minLength: 1, maxLength: 4 }))
      .map(([kind, nodes]) => ({ [kind]: nodes })),
    node: fc.oneof({ maxDepth: 4, depthSize: "small" }, tie("leaf"), tie("group")),
  })).node
