// The configuration of an audience: limits, normal form and hash (spec 2.8, 2.9, 2.11).
import * as fc from "fast-check"
import { Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import {
  companySizes,
  configHash,
  configIssues,
  type GivenConfig,
  hashedForm,
  normalizeConfig,
} from "../../src/intent/audiences/config.ts"
import { ConfigRequest, PreviewRequest } from "../../src/intent/audiences/config-request.ts"
import { issuesOf } from "../../src/platform/http/issues.ts"
import { ageRanges, departments, genders, seniorities } from "../../src/people/person/vocabulary.ts"

const options = { errors: "all", onExcessProperty: "error", reportInput: true } as const

const read = (
  body: unknown,
  schema: typeof ConfigRequest | typeof PreviewRequest = ConfigRequest,
) => Result.map(Schema.decodeUnknownResult(schema, options)(body), normalizeConfig)

const normal = (body: unknown) => Result.getOrThrow(read(body))
const filtersOf = (filters: unknown) => normal({ topicIds: [1], filters }).filters
const issues = (body: unknown, schema?: typeof ConfigRequest | typeof PreviewRequest) => {
  const result = read(body, schema)
  return Result.isFailure(result) ? issuesOf("body", result.failure) : []
}
const issuesOfFilters = (filters: unknown) => issues({ topicIds: [1], filters })

const segmentId = "5e65e65e-0000-4000-8000-00000000000a"

const example = {
  topicIds: [3377, 1204],
  minScore: 70,
  filters: { seniority: ["vp", "c_suite"], companySize: ["201-500"], isB2b: "y" },
}

describe("the hash in spec 12.8", () => {
  it("is the hash of the example", () => {
    expect(configHash(normal(example))).toBe(
      "df36818d4ac5c896c6e4f779ddf85dd01ea0d4ad08fae9bec7c28f2e3670be5f",
    )
  })

  it("is computed from the text of the example", () => {
    const text =
      '{"filters":{"companySize":["201-500"],"isB2b":"y","seniority":["c_suite","vp"]},' +
      '"maxScore":100,"minScore":70,"minTopicOverlap":1,"topicIds":[1204,3377]}'

    expect(createHash("sha256").update(text).digest("hex")).toBe(configHash(normal(example)))
  })

  it("leaves out the source URL and the derived topics", () => {
    const more = { ...example, sourceUrl: "https://tidewater.example/", topics: [{ any: "thing" }] }

    expect(configHash(normal(more))).toBe(configHash(normal(example)))
  })
})

describe("a configuration", () => {
  it("has the defaults of spec 2.8", () => {
    expect(normal({ topicIds: [5] })).toEqual({
      topicIds: [5],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: {},
    })
  })

  it("keeps topics as sent, deduplicated; the limit of 10 counts what remains", () => {
    const ten = Array.from({ length: 10 }, (_, n) => 10 - n)

    expect(normal({ topicIds: [...ten, ...ten] }).topicIds).toEqual(ten)
    expect(issues({ topicIds: [...ten, 11] })).toMatchObject([
      { path: "/body/topicIds", code: "max_items" },
    ])
    expect(issues({ topicIds: [1.5] })).toMatchObject([{ path: "/body/topicIds/0", code: "type" }])
  })

  it("needs topics or a segment", () => {
    const noOne = [{ path: "/body/topicIds", code: "required" }]

    for (const given of [
      {},
      { topicIds: [] },
      { segmentId: null },
      { segmentId: null, topicIds: [] },
    ]) {
      expect(issues(given)).toEqual([])
      expect(configIssues(normal(given), "/body")).toMatchObject(noOne)
    }
    expect(configIssues(normal({ segmentId }), "/body")).toEqual([])
    expect(issues({ segmentId: "pricing" })).toMatchObject([{ path: "/body/segmentId" }])
  })

  it("of a segment alone has the default scores, whatever was sent, because only topics have scores", () => {
    const alone = { segmentId, minScore: 90, maxScore: 95, minTopicOverlap: 3 }

    expect(normal(alone)).toEqual({
      segmentId,
      topicIds: [],
      minScore: 70,
      maxScore: 100,
      minTopicOverlap: 1,
      filters: {},
    })
    expect(configHash(normal(alone))).toBe(configHash(normal({ segmentId })))
  })

  it("has another hash with another segment, or without one; the id is compared without case", () => {
    const hashes = [
      { ...example },
      { ...example, segmentId },
      { ...example, segmentId: segmentId.replace("4000", "4001") },
      { segmentId },
    ].map((given) => configHash(normal(given)))

    expect(new Set(hashes).size).toBe(hashes.length)
    expect(configHash(normal({ ...example, segmentId: segmentId.toUpperCase() }))).toBe(hashes[1])
    expect(configHash(normal({ ...example, segmentId: null }))).toBe(hashes[0])
  })

  it.each(["minScore", "maxScore"])("%s is 1 to 100", (name) => {
    expect(issues({ topicIds: [1], [name]: 1 })).toEqual([])
    expect(issues({ topicIds: [1], [name]: 100 })).toEqual([])
    expect(issues({ topicIds: [1], [name]: 0 })).toMatchObject([
      { path: `/body/${name}`, code: "min" },
    ])
    expect(issues({ topicIds: [1], [name]: 101 })).toMatchObject([
      { path: `/body/${name}`, code: "max" },
    ])
  })

  it("minTopicOverlap is 1 to 10", () => {
    expect(issues({ topicIds: [1], minTopicOverlap: 10 })).toEqual([])
    expect(issues({ topicIds: [1], minTopicOverlap: 0 })).toMatchObject([{ code: "min" }])
    expect(issues({ topicIds: [1], minTopicOverlap: 11 })).toMatchObject([{ code: "max" }])
  })

  it("minScore is at most maxScore, minTopicOverlap at most the number of distinct topics", () => {
    const config = (given: GivenConfig) => configIssues(normalizeConfig(given), "/body/config")

    expect(config({ topicIds: [1], minScore: 80, maxScore: 80 })).toEqual([])
    expect(config({ topicIds: [1], minScore: 81, maxScore: 80 })).toEqual([
      {
        path: "/body/config/minScore",
        code: "max",
        message: "Expected at most maxScore, which is 80, received 81.",
      },
    ])
    expect(config({ topicIds: [1], maxScore: 60 })).toMatchObject([
      { path: "/body/config/minScore" },
    ])
    expect(config({ topicIds: [1, 2], minTopicOverlap: 2 })).toEqual([])
    expect(config({ topicIds: [1, 2, 2], minTopicOverlap: 3 })).toMatchObject([
      { path: "/body/config/minTopicOverlap", code: "max" },
    ])
  })

  it("accepts a source URL in the form of a URI, and topics in any form", () => {
    expect(issues({ topicIds: [1], sourceUrl: null, topics: "anything" })).toEqual([])
    expect(issues({ topicIds: [1], sourceUrl: "https://tidewater.example" })).toEqual([])
    expect(issues({ topicIds: [1], sourceUrl: "tidewater" })).toMatchObject([
      { path: "/body/sourceUrl", code: "format" },
    ])
  })

  it("in a preview has the five fields of spec 5.8.3", () => {
    expect(issues({ topicIds: [1], sourceUrl: null, topics: [] }, PreviewRequest)).toMatchObject([
      { path: "/body/sourceUrl", code: "unknown_field" },
      { path: "/body/topics", code: "unknown_field" },
    ])
  })
})

describe("filters of a closed vocabulary", () => {
  it.each([
    [
      { seniority: ["VP", "CXO", "Staff", "training"] },
      { seniority: ["c_suite", "entry", "intern", "vp"] },
    ],
    [{ companySize: ["10001+", "1-10"] }, { companySize: ["1-10", "10001+"] }],
    [{ department: ["SALES", "arts AND design"] }, { department: ["arts and design", "sales"] }],
    [{ companyRevenueRange: ["Under 1 Million"] }, { companyRevenueRange: ["under 1 million"] }],
    [{ ageRange: ["65+", "65 and older"] }, { ageRange: ["65 and older"] }],
    [{ gender: "Female" }, { gender: "F" }],
    [{ gender: "unknown" }, { gender: "U" }],
    [{ isB2b: " Y " }, { isB2b: "y" }],
  ])("%j is %j", (given, canonical) => {
    expect(filtersOf(given)).toEqual(canonical)
  })

  it.each([
    ["seniority", ["boss"], seniorities],
    ["companySize", ["1-9"], companySizes],
    ["department", ["law"], departments],
    ["ageRange", ["17"], ageRanges],
    ["gender", "x", genders],
    ["isB2b", "yes", ["y", "n"]],
  ])("%s rejects %j and lists the valid values", (name, value, allowed) => {
    expect(issuesOfFilters({ [name]: value })).toMatchObject([
      {
        path: `/body/filters/${name}${Array.isArray(value) ? "/0" : ""}`,
        code: "enum",
        allowed,
      },
    ])
  })
})

describe("other filters", () => {
  it.each([
    [{ companyIndustry: [" Logistics ", "logistics", ""] }, { companyIndustry: ["logistics"] }],
    [{ state: "california" }, { state: "CA" }],
    [{ state: "ca" }, { state: "CA" }],
    [{ state: "Washington D.C." }, { state: "DC" }],
    [{ state: "Puerto Rico" }, { state: "PR" }],
    [{ state: "Île-de-France" }, { state: "Île-de-France" }],
    [{ state: "ON" }, { state: "ON" }],
    [{ jobTitle: " VP, Director " }, { jobTitle: "VP, Director" }],
    [{ companyDomain: "https://www.Acme.Example:8443/x" }, { companyDomain: "acme.example" }],
    [{ companyName: "ACME" }, { companyName: "ACME" }],
    [
      { hasPhone: false, hasLinkedin: true },
      { hasLinkedin: true, hasPhone: false },
    ],
  ])("%j is %j", (given, canonical) => {
    expect(filtersOf(given)).toEqual(canonical)
  })

  it.each([
    [{ companyName: "ACME İnşaat" }, { companyName: "acme İnşaat" }],
    [{ companyName: "ΟΔΟΣ" }, { companyName: "οδος" }],
    [{ jobTitle: "VP, Director" }, { jobTitle: "vp, director" }],
    [{ state: "Île-de-France" }, { state: "ÎLE-DE-FRANCE" }],
    [{ state: "ON" }, { state: "on" }],
    [{ state: "Texas" }, { state: "tx" }],
    [{ companyIndustry: ["Logistics"] }, { companyIndustry: ["LOGISTICS"] }],
  ])("%j and %j are the same configuration", (one, other) => {
    const hash = (filters: unknown) => configHash(normal({ topicIds: [1], filters }))

    expect(hash(one)).toBe(hash(other))
    expect(hash(one)).not.toBe(hash({}))
  })

  it("null, an empty list and an empty text are absent", () => {
    expect(
      filtersOf({
        seniority: [],
        companyIndustry: null,
        state: "",
        jobTitle: "  ",
        companyDomain: "",
        gender: null,
        hasPhone: null,
      }),
    ).toEqual({})
    expect(normal({ topicIds: [1], filters: null }).filters).toEqual({})
  })

  it("rejects an unknown key", () => {
    expect(issuesOfFilters({ companyZip: "1" })).toMatchObject([
      { path: "/body/filters/companyZip", code: "unknown_field" },
    ])
  })

  it.each([
    [{ seniority: "vp" }, "seniority", "type"],
    [{ gender: ["M"] }, "gender", "enum"],
    [{ hasPhone: "true" }, "hasPhone", "type"],
    [{ companyDomain: "not a domain" }, "companyDomain", "format"],
    [{ jobTitle: "x".repeat(201) }, "jobTitle", "max_length"],
    [{ companyName: "x".repeat(256) }, "companyName", "max_length"],
    [{ companyDomain: `${"x".repeat(250)}.example` }, "companyDomain", "max_length"],
  ])("%j is refused", (given, name, code) => {
    expect(issuesOfFilters(given)).toContainEqual(
      expect.objectContaining({ path: `/body/filters/${name}`, code }),
    )
  })

  it.each([[{ jobTitle: "é".repeat(200) }], [{ companyName: "x".repeat(255) }]])(
    "accepts text of the maximum length",
    (given) => {
      expect(issuesOfFilters(given)).toEqual([])
    },
  )
})

describe("the normal form", () => {
  const closed = (values: ReadonlyArray<string>) =>
    fc.array(fc.constantFrom(...values), { maxLength: 4 })
  const given = fc.record(
    {
      topicIds: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
      minScore: fc.integer({ min: 1, max: 100 }),
      filters: fc.record(
        {
          seniority: closed(seniorities),
          companySize: closed(companySizes),
          department: closed(departments),
          companyIndustry: fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), {
            maxLength: 3,
          }),
          state: fc.oneof(fc.constantFrom("texas", "NY", "Bavaria"), fc.string({ maxLength: 8 })),
          jobTitle: fc.string({ unit: "grapheme", maxLength: 12 }),
          companyName: fc.string({ maxLength: 12 }),
          hasPhone: fc.option(fc.boolean()),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ["topicIds"] },
  )

  it("of a normal form is itself, and the hash is that of the hashed form", () => {
    fc.assert(
      fc.property(given, (body) => {
        const config = normal(body)

        expect(normal(config)).toEqual(config)
        expect(configHash(hashedForm(config))).toBe(configHash(config))
      }),
      { numRuns: 300 },
    )
  })

  it("and the hash are the same for reordered or repeated values and another case", () => {
    fc.assert(
      fc.property(given, (body) => {
        const filters = Object.fromEntries(
          Object.entries(body.filters ?? {})
            .toReversed()
            .map(([name, value]) => [name, disguised(value)]),
        )
        const other = { filters, topicIds: [...body.topicIds, ...body.topicIds.toReversed()] }

        expect(configHash(normal({ ...body, ...other }))).toBe(configHash(normal(body)))
      }),
      { numRuns: 300 },
    )
  })
})

const disguised = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return [...value.toReversed(), ...value].map((item) => ` ${asciiUpper(String(item))}`)
  }
  return typeof value === "string" ? ` ${asciiUpper(value)} ` : value
}

/** Other letters may have an upper case that does not map back. */
const asciiUpper = (text: string) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())
