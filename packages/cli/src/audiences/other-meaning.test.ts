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
const advice = (filters: AudienceFilters) => otherMeanings(filters, values, facets)

test("reports a value that is an industry of topics, with similar industries of companies", () => {
  expect(advice({ companyIndustry: ["Logistics"] })).toEqual([
    "No one has --industry Logistics; topics have this industry: footfall topics list --industry logistics; " +
      "similar values: 'freight and logistics services'.",
  ])
})

test("names the option of another filter that has the value", () => {
  expect(advice({ companyIndustry: ["human resources"], jobTitle: "operations,poet" })).toEqual([
    "No one has --industry 'human resources'; another filter has this value: --department human_resources.",
    "You gave --job-title operations; another filter has this value: --department operations.",
  ])
})

test("says nothing about values that occur, values that are unknown, and other filters", () => {
  expect(advice({ companyIndustry: ["Banking", "underwater basket weaving"] })).toEqual([])
  expect(advice({ seniority: ["vp"], hasPhone: true })).toEqual([])
  expect(advice({})).toEqual([])
})

test("checks the values that a rule requires, in any group", () => {
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
