// The SQL of representative configurations: every value is a parameter, and profiles are only joined where needed.
// test/audiences/model.test.ts shows that it finds the right people.
import { describe, expect, it } from "vitest"
import { normalizeConfig, type GivenConfig } from "../config.ts"
import { audience, type AudienceQuestion, previewStatement } from "./compile.ts"

const question = (given: Partial<GivenConfig>, more: Partial<AudienceQuestion> = {}) => ({
  organizationId: "org",
  config: normalizeConfig({ topicIds: [12, 11], ...given }),
  dataDate: "2026-03-10",
  hasRules: false,
  hasVisitors: false,
  hasPeople: false,
  erased: [],
  ...more,
})

const textOf = (question: AudienceQuestion) =>
  previewStatement(question, 50).text.replaceAll(/\s+/g, " ").replaceAll("( ", "(")

/** The part of the statement that selects the people. */
const choiceOf = (question: AudienceQuestion) =>
  textOf(question).split("), first as materialized")[0]!

describe("the statement of a preview", () => {
  it("reads no profile to select people if no filter and no rule needs one", () => {
    const choice = choiceOf(question({}))

    expect(choice).not.toContain("person as record")
    expect(choice).not.toContain("visitor")
    expect(choice).not.toContain("suppression_rule")
  })

  it("always reads the profiles of the people it shows", () => {
    expect(textOf(question({}))).toContain("from person as record")
  })

  it("reads only the profile fields that filters need", () => {
    const choice = choiceOf(question({ filters: { seniority: ["vp"], hasPhone: true } }))

    expect(choice).toContain("where known.has_phone and known.seniority = any ($")
    expect(choice).not.toContain("record.industry")
    expect(choice).not.toContain("suppression_rule")
  })

  it("reads the keys of rules only if there are rules", () => {
    const choice = choiceOf(question({}, { hasRules: true }))

    for (const name of ["email_domain", "company_domain", "industry"]) {
      expect(choice).toContain(`as ${name}`)
    }
    expect(choice).toContain("not exists (select from suppression_list as list")
  })

  it("compares with the maximum score only if there is one", () => {
    expect(textOf(question({}))).not.toContain("case when max(s.score)")
    expect(textOf(question({ maxScore: 99 }))).toContain("case when max(s.score)")
  })

  it("removes the signals of erased people before anything is added up", () => {
    expect(textOf(question({}))).not.toContain("named.person <> all")
    expect(textOf(question({}, { erased: ["a"] }))).toContain("named.person <> all (array(")
  })

  it("counts each number once, whichever address represents it", () => {
    const { text } = previewStatement(question({}, { hasPeople: true }), 50)

    expect(text.match(/get_bit/g)).toHaveLength(2)
    expect(text.match(/unnest\(signal\.people\)/g)).toHaveLength(1)
  })

  it("leaves out what the organization has no data for", () => {
    const filters = { hasPhone: true }
    const of = (has: Partial<AudienceQuestion>) => textOf(question({ filters }, has))

    expect(of({})).not.toMatch(/visitor_address|join visitor/)
    expect(of({ hasVisitors: true })).toMatch(/visitor_address .*join visitor/)
    expect(of({}).match(/get_bit/g)).toHaveLength(1)
    expect(of({})).not.toContain("record.organization_id = any(")
    expect(of({ hasPeople: true })).toContain("record.organization_id = any(")
  })

  it("has topics in ascending order, whatever their order in the request", () => {
    const one = previewStatement(question({ topicIds: [11, 12] }), 50)
    const other = previewStatement(question({ topicIds: [12, 11] }), 50)

    expect(one).toEqual(other)
  })
})

describe("the audience of a run", () => {
  it("is one relation of located people, whether or not profiles are needed", () => {
    const plain = audience(question({})).text
    const filtered = audience(question({ filters: { seniority: ["vp"] } })).text

    for (const text of [plain, filtered]) {
      expect(text).toMatch(/root/)
      expect(text).toMatch(/members/)
      expect(text).toMatch(/visitor_id/)
    }
  })
})

it("values are never in the text of the statement", () => {
  const marker = "marker'\"$1"
  const filters = {
    companyIndustry: [marker],
    state: marker,
    jobTitle: marker,
    companyName: marker,
    companyDomain: marker,
  }
  const marked = question(
    { topicIds: [123_456], minScore: 43, maxScore: 87, filters },
    { organizationId: marker, dataDate: marker, hasRules: true, erased: [marker] },
  )

  expect(previewStatement(marked, 50).text).not.toMatch(/marker|123456|[^$\d]43\b|[^$\d]87\b/)
})
