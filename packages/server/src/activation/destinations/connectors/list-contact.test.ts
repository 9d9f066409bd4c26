import { describe, expect, it } from "vitest"
import type { ResultRow } from "../../../intent/runs/results/result-row.ts"
import { mappedAttributes } from "./automation-config.ts"
import { listContact, managedTag, mappedFields } from "./list-contact.ts"

const audienceId = "70865832-8a6e-409c-95c5-d15bafae1a05"
const topic = { type: "b2b", industry: "logistics", category: "software" } as const
const jane: ResultRow = {
  hashedEmail: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  firstName: "Jane",
  lastName: "Mercer",
  fullName: "Jane Mercer",
  email: "jane.mercer@harbor-logistics.example",
  businessEmail: "jane.mercer@harbor-logistics.example",
  personalEmail: "jane.mercer@mail.example",
  primaryContactEmail: "jane.mercer@harbor-logistics.example",
  emailStatus: "valid",
  phone: "+14155550134",
  linkedinUrl: "https://linkedin.example/in/jane",
  headline: "Moves things",
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  company: {
    name: "Harbor Logistics",
    domain: "harbor-logistics.example",
    industry: "maritime transportation",
    industryGroup: "transportation and logistics",
    revenueRange: "50 million to 100 million",
    size: "201-500",
    linkedinUrl: "https://linkedin.example/company/harbor",
  },
  geo: { city: "San Francisco", state: "CA", country: "US" },
  demographics: { ageRange: null, gender: null },
  isB2b: "y",
  intent: {
    score: 91,
    topicOverlap: 2,
    matchedTopics: [
      { topicId: 1204, topicName: "Warehouse Management Software", ...topic },
      { topicId: 3377, topicName: "Freight Visibility", ...topic },
    ],
  },
}
const config = {
  listId: "list-1",
  emailSource: "email",
  newContactStatus: "SUBSCRIBED",
  onLeave: "keep",
  eraseAtProvider: false,
  fieldMapping: { FNAME: "firstName" },
  tags: ["buyers"],
} as const

describe("field mapping", () => {
  it("has a value for every attribute of spec 2.15.4", () => {
    const mapping = Object.fromEntries(mappedAttributes.map((attribute) => [attribute, attribute]))

    expect(mappedFields(jane, mapping)).toEqual({
      firstName: "Jane",
      lastName: "Mercer",
      fullName: "Jane Mercer",
      jobTitle: "VP Operations",
      headline: "Moves things",
      seniority: "vp",
      department: "operations",
      linkedinUrl: "https://linkedin.example/in/jane",
      "company.name": "Harbor Logistics",
      "company.domain": "harbor-logistics.example",
      "company.industry": "maritime transportation",
      "company.industryGroup": "transportation and logistics",
      "company.revenueRange": "50 million to 100 million",
      "company.linkedinUrl": "https://linkedin.example/company/harbor",
      "geo.city": "San Francisco",
      "geo.state": "CA",
      "geo.country": "US",
      "intent.score": 91,
      "intent.topicOverlap": 2,
      "intent.matchedTopics": "Warehouse Management Software|Freight Visibility",
    })
  })

  it.each([null, ""])("leaves out what is unknown (%j), and keeps a field of any name", (none) => {
    const unnamed = { ...jane, firstName: none }
    const mapping = JSON.parse(`{"FNAME": "firstName", "__proto__": "lastName"}`)

    expect(Object.entries(mappedFields(unnamed, mapping))).toEqual([["__proto__", "Mercer"]])
  })
})

describe("a contact in a list", () => {
  it("has the managed tag in addition to the tags in the config (spec 2.17)", () => {
    expect(managedTag(audienceId)).toBe("audience:70865832")
    expect(listContact(jane, { audienceId, config })).toEqual({
      email: "jane.mercer@harbor-logistics.example",
      fields: { FNAME: "Jane" },
      tags: ["buyers", "audience:70865832"],
    })
  })

  it("has each tag once", () => {
    const twice = { ...config, tags: ["buyers", "audience:70865832", "buyers"] }

    expect(listContact(jane, { audienceId, config: twice })?.tags).toEqual([
      "buyers",
      "audience:70865832",
    ])
  })

  it("is skipped without an address (spec 2.16, Skipped)", () => {
    expect(listContact({ ...jane, email: null }, { audienceId, config })).toBeUndefined()
  })
})
