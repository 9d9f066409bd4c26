// Random configurations for the worlds of world.ts, in normal form.
import * as fc from "fast-check"
import { normalizeConfig } from "../../src/intent/audiences/config.ts"
import { segmentId } from "./segments.ts"
import { scores, topicIds } from "./world.ts"

/** Most filters are absent, so that some people pass the others. */
const absent = <Value>(values: fc.Arbitrary<Value>) =>
  fc.option(values, { nil: undefined, freq: 3 })
const some = <Value>(...values: ReadonlyArray<Value>) =>
  absent(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }))

const filters = fc.record({
  companyIndustry: some("logistics", "éducation", "nowhere"),
  seniority: some("vp", "director", "intern"),
  companySize: some("1-10" as const, "11-50" as const, "201-500" as const, "10001+" as const),
  department: some("sales", "operations"),
  state: absent(fc.constantFrom("CA", "Île-de-France")),
  companyRevenueRange: some("under 1 million", "1 billion and over"),
  ageRange: some("25-34", "65 and older"),
  gender: absent(fc.constantFrom("M", "F")),
  isB2b: absent(fc.constantFrom("y", "n")),
  jobTitle: absent(fc.constantFrom("VP", "50%", "_1 , director", "sales,")),
  companyDomain: absent(fc.constantFrom("acme.example", "quayline.example")),
  companyName: absent(fc.constantFrom("SÖHNE", "harbor,Quay")),
  hasBusinessEmail: absent(fc.boolean()),
  hasPersonalEmail: absent(fc.boolean()),
  hasLinkedin: absent(fc.boolean()),
  hasPhone: absent(fc.boolean()),
})

const parts = fc
  .record({
    topicIds: fc.uniqueArray(fc.constantFrom(...topicIds), { minLength: 1 }),
    bounds: fc.tuple(fc.constantFrom(...scores), fc.constantFrom(...scores)),
    minTopicOverlap: fc.integer({ min: 1, max: 3 }),
    filters: fc.oneof(
      fc.constant({}),
      filters.chain((all) =>
        fc
          .subarray(Object.entries(all), { maxLength: 3 })
          .map((few) => Object.fromEntries(few.filter(([, value]) => value !== undefined))),
      ),
    ),
  })
  .map(({ bounds, filters, minTopicOverlap, topicIds }) => ({
    topicIds,
    minScore: Math.min(...bounds),
    maxScore: Math.max(...bounds),
    minTopicOverlap: Math.min(minTopicOverlap, topicIds.length),
    filters,
  }))

export const config = parts.map(normalizeConfig)

/** Some with a segment, with and without topics. */
export const configWithSegment = fc
  .tuple(parts, segmentId, fc.boolean())
  .map(([given, segment, isAlone]) =>
    segment === undefined
      ? normalizeConfig(given)
      : normalizeConfig({ ...given, segmentId: segment, ...(isAlone ? { topicIds: [] } : {}) }),
  )
