import type { AudienceFilters, AudienceFilterValues } from "@footfall/sdk"
import { expect, test } from "vitest"
import { filtersOf, otherMeanings } from "./other-meaning.ts"

const values: AudienceFilterValues = {
  companyIndustry: ["freight and logistics services", "banking"],
  seniority: ["vp", "c_suite"],
  companySize: [],
  department: ["operations", "human_resources"],
  state: ["CA"],
  companyRevenueRange: [],
  ageRange: [],
  gender: [],
  isB2b: [],
}
const facets = { industries: [{ value: "logistics", count: 25 }] }
const said = (filters: AudienceFilters) => otherMeanings(filters, values, facets)

test("a word that is an industry of topics is reported as one, with similar industries of companies", () => {
  expect(said({ companyIndustry: ["Logistics"] })).toEqual([
    "No one has --industry Logistics; topics have this industry: footfall topics list --industry logistics; " +
      "similar values: 'freight and logistics services'.",
  ])
})

test("a word that is the value of another filter comes with the option of that one", () => {
  expect(said({ companyIndustry: ["human resources"], jobTitle: "operations,poet" })).toEqual([
    "No one has --industry 'human resources'; another filter has this value: --department human_resources.",
    "You gave --job-title operations; another filter has this value: --department operations.",
  ])
})

test("a value that occurs, one that is nowhere else, and other filters say nothing", () => {
  expect(said({ companyIndustry: ["Banking", "underwater basket weaving"] })).toEqual([])
  expect(said({ seniority: ["vp"], hasPhone: true })).toEqual([])
  expect(said({})).toEqual([])
})

test("the words of a rule that someone must have are asked for, whatever groups they are in", () => {
  expect(
    filtersOf({
      version: 1,
      rule: {
        any: [
          { field: "company.industry", op: "eq", value: "logistics" },
          {
            all: [
              { field: "company.industry", op: "in", value: ["banking", "ports"] },
              { field: "company.job_title", op: "contains", value: "operations" },
              { field: "company.industry", op: "neq", value: "steel" },
              { field: "contact.state", op: "exists", value: true },
              { field: "behavior.pageviews", op: "gte", value: 3 },
            ],
          },
        ],
      },
    }),
  ).toEqual({ companyIndustry: ["logistics", "banking", "ports"], jobTitle: ["operations"] })
})
