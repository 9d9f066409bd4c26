// Filters and validation over HTTP, and the limits of all three endpoints (spec 2.9, 5.8, 10.2).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { post, putPerson, putTopics, shared } from "./support.ts"

let server: TestServer
let other: TestOrganization

beforeAll(async () => {
  server = await startServer({ workers: false })
  other = await server.makeOrganization()
  await putTopics(server, [5, 6])
  await putPerson(server, shared, "a@acme.example", {
    industry: "logistics",
    state: "CA",
    seniority: "vp",
    company_employee_count: 300,
  })
  await putPerson(server, shared, "b@acme.example", { industry: "logistics", gender: "F" })
  await putPerson(server, other, "c@acme.example", { industry: "secret", state: "Secret" })
})

afterAll(() => server.close())

type Values = Readonly<Record<string, ReadonlyArray<unknown>>>

const filters = async (query = "", headers?: Readonly<Record<string, string>>) => {
  const response = await server.get(`/v1/intent/audiences/filters${query}`, headers)
  // These tests check its shape.
  return { status: response.status, data: ((await response.json()) as { data: Values }).data }
}

describe("GET filters", () => {
  it("lists closed vocabularies in full, and open ones by the values in the data", async () => {
    const { data } = await filters()

    expect(Object.keys(data)).toEqual([
      "companyIndustry",
      "seniority",
      "companySize",
      "department",
      "state",
      "companyRevenueRange",
      "ageRange",
      "gender",
      "isB2b",
    ])
    expect(data["companyIndustry"]).toEqual(["logistics"])
    expect(data["state"]).toEqual(["CA"])
    expect(data["seniority"]).toHaveLength(11)
    expect(data["department"]).toHaveLength(26)
    expect(data["companySize"]?.at(-1)).toBe("10001+")
    expect(data["gender"]).toEqual(["M", "F", "U"])
  })

  it("include=counts returns how many people have each value", async () => {
    const { data } = await filters("?include=counts")

    expect(data["companyIndustry"]).toEqual([{ value: "logistics", label: "Logistics", count: 2 }])
    expect(data["seniority"]).toContainEqual({ value: "vp", label: "VP", count: 1 })
    expect(data["seniority"]).toContainEqual({ value: "c_suite", label: "C-suite", count: 0 })
    expect(data["companySize"]).toContainEqual({ value: "201-500", label: "201-500", count: 1 })
    expect(data["gender"]).toContainEqual({ value: "F", label: "Female", count: 1 })
  })

  it("for another organization contains only its own people's values", async () => {
    const { data } = await filters("", { "x-api-key": other.apiKey })

    expect(data["companyIndustry"]).toEqual(["logistics", "secret"])
    expect(data["state"]).toEqual(["CA", "Secret"])
  })

  it("changes with an import, and counts an organization's own value instead of the shared one", async () => {
    await putPerson(server, server, "b@acme.example", { industry: "insurance" })

    const { data } = await filters("?include=counts")

    expect(data["companyIndustry"]).toEqual([
      { value: "insurance", label: "Insurance", count: 1 },
      { value: "logistics", label: "Logistics", count: 1 },
    ])
  })

  it("rejects an unknown include, ignores unknown parameters, accepts a viewer's token", async () => {
    const { accessToken } = await server.makeUser("viewer")
    const response = await fetch(`${server.url}/v1/intent/audiences/filters`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })

    expect((await filters("?include=x")).status).toBe(400)
    expect((await filters("?unknown=x")).status).toBe(200)
    expect(response.status).toBe(200)
  })
})

describe("POST validate", () => {
  it("returns the normal form, its hash and the names of the active filters", async () => {
    const { body, status } = await post(server, "validate", {
      topicIds: [6, 5, 6],
      filters: { seniority: ["VP", "head"], hasPhone: false, companyIndustry: [] },
      sourceUrl: "https://tidewater.example/",
      topics: [],
    })

    expect(status).toBe(200)
    expect(body.data).toEqual({
      valid: true,
      configHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      normalizedConfig: {
        segmentId: null,
        topicIds: [5, 6],
        minScore: 70,
        maxScore: 100,
        minTopicOverlap: 1,
        filters: { hasPhone: false, seniority: ["head", "vp"] },
      },
      appliedFilters: ["hasPhone", "seniority"],
    })
  })

  it("rejects what a preview rejects", async () => {
    const unknown = await post(server, "validate", { topicIds: [7] })
    const bounds = await post(server, "validate", { topicIds: [5], minScore: 90, maxScore: 80 })

    expect(unknown.body.error?.details?.unknownTopicIds).toEqual([7])
    expect(bounds.body.error?.details?.issues).toMatchObject([{ path: "/body/minScore" }])
  })
})

describe("limits", () => {
  it("filters allow 120 a minute, preview and validate 30 together, per key", async () => {
    const limited = await startServer({ rateLimits: true, workers: false })
    try {
      await putTopics(limited, [5])
      const first = await limited.get("/v1/intent/audiences/filters")
      const validated = await post(limited, "validate", { topicIds: [5] })
      const previewed = await post(limited, "preview", { topicIds: [5] })

      expect(first.headers.get("ratelimit-limit")).toBe("120")
      expect(validated.headers.get("ratelimit-limit")).toBe("30")
      expect(validated.headers.get("ratelimit-remaining")).toBe("29")
      expect(previewed.headers.get("ratelimit-remaining")).toBe("28")
    } finally {
      await limited.close()
    }
  })
})
