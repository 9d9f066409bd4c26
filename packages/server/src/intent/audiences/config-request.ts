// A configuration in requests and responses (spec 2.8, 2.9): its limits, and closed vocabularies compared
// case-insensitively. The decoded value is ready to be normalized.
import { companyRevenueRanges } from "../../collect/visits/revenue-range.ts"
import { normalizeDomain } from "@footfall/normal-form"
import { Schema, SchemaTransformation } from "effect"
import { described, requestText } from "../../platform/http/fields.ts"
import {
  ageRanges,
  canonical,
  departments,
  genders,
  seniorities,
  yesOrNo,
} from "../../people/person/vocabulary.ts"
import { companySizes, scoreMax, scoreMin, topicsMax } from "./config.ts"

/** Maximum values per filter list. */
const listItemsMax = 1_000
const nameLengthMax = 255
const jobTitleLengthMax = 200
const urlLengthMax = 2_048

/** A value from a closed vocabulary, in any case and by any of its names. */
const oneOf = <const Value extends string>(values: ReadonlyArray<Value>) => {
  const spelling = canonical(values)
  return Schema.String.pipe(
    Schema.decodeTo(
      Schema.Literals(values),
      SchemaTransformation.transform({
        // Unknown values are rejected by the literals, whose error lists the valid ones.
        decode: (text) => (spelling(text.trim()) ?? text) as Value,
        encode: (value: Value): string => value,
      }),
    ),
  )
}

const text = (lengthMax: number) => requestText({ lengthMin: 0, lengthMax })

const list = <Item extends Schema.Constraint>(description: string, item: Item) =>
  optional(description, Schema.Array(item).check(Schema.isMaxLength(listItemsMax)))
const optional = <Value extends Schema.Constraint>(description: string, value: Value) =>
  described(description, Schema.optionalKey(Schema.NullOr(value)))
const has = (what: string) =>
  optional(`\`true\`: with a ${what}; \`false\`: without; left out: either.`, Schema.Boolean)
const words = (values: ReadonlyArray<string>) => values.map((value) => `\`${value}\``).join(", ")

/** Normalized like the value of a domain rule; empty text means no filter. */
const Domain = text(nameLengthMax)
  .check(
    Schema.makeFilter((given: string) => given === "" || domainOf(given) !== undefined, {
      issueCode: "format",
      expected: "a host name",
    }),
  )
  .pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({
        decode: (given) => domainOf(given) ?? given,
        encode: (domain: string) => domain,
      }),
    ),
  )

const domainOf = (given: string) => normalizeDomain(given, nameLengthMax)

const Filters = Schema.Struct({
  companyIndustry: list("One of these industries, as in the filter values.", text(nameLengthMax)),
  seniority: list(`One of ${words(seniorities)}.`, oneOf(seniorities)),
  companySize: list(`Employees: one of ${words(companySizes)}.`, oneOf(companySizes)),
  department: list(`One of ${words(departments)}.`, oneOf(departments)),
  state: optional("US state by code or name, or a region elsewhere.", text(nameLengthMax)),
  companyRevenueRange: list(
    `Annual revenue: one of ${words(companyRevenueRanges)}.`,
    oneOf(companyRevenueRanges),
  ),
  ageRange: list(`One of ${words(ageRanges)}.`, oneOf(ageRanges)),
  gender: optional(`One of ${words(genders)}.`, oneOf(genders)),
  isB2b: optional(`One of ${words(yesOrNo)}.`, oneOf(yesOrNo)),
  jobTitle: optional(
    `Part of the job title. Ignores case. Separate alternatives with commas. At most ${jobTitleLengthMax} characters.`,
    text(jobTitleLengthMax),
  ),
  companyDomain: optional("Domain of the company.", Domain),
  companyName: optional("Part of the company name. Ignores case.", text(nameLengthMax)),
  hasBusinessEmail: has("business address"),
  hasPersonalEmail: has("personal address"),
  hasLinkedin: has("LinkedIn profile"),
  hasPhone: has("phone number"),
}).annotate({ identifier: "AudienceFilters" })

/** Repeats are removed before the limit applies. spec 2.8. */
const TopicIds = Schema.Array(Schema.Int).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Int).check(Schema.isMaxLength(topicsMax)),
    SchemaTransformation.transform({
      decode: (topicIds): ReadonlyArray<number> => [...new Set(topicIds)],
      encode: (topicIds): ReadonlyArray<number> => topicIds,
    }),
  ),
)

const Score = Schema.Int.check(Schema.isBetween({ minimum: scoreMin, maximum: scoreMax }))

const fields = {
  segmentId: described(
    "Id of a segment of people. Without topics, everyone in it qualifies; with topics, a person must satisfy both.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isUUID()))),
  ),
  topicIds: described(
    `Ids of topics, at most ${topicsMax}. Required without a segment. Duplicates are removed.`,
    Schema.optionalKey(TopicIds),
  ),
  minScore: described(
    "Lowest score to include. Default 70. Has no effect without topics.",
    Schema.optionalKey(Score),
  ),
  maxScore: described(
    "Highest score to include. Default 100. Has no effect without topics.",
    Schema.optionalKey(Score),
  ),
  minTopicOverlap: described(
    "Number of topics that need a score in this range. Default 1. Has no effect without topics.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: topicsMax }))),
  ),
  filters: described(
    "Who to include. A person must match every field, with any of its values.",
    Schema.optionalKey(Schema.NullOr(Filters)),
  ),
}

/** Body of a preview request. */ // spec 5.8.3
export const PreviewRequest = Schema.Struct({
  ...fields,
  explain: described(
    "Also count who is left after each part of the configuration, and people by score. Default `false`.",
    Schema.optionalKey(Schema.Boolean),
  ),
}).annotate({ identifier: "AudiencePreview" })

/** Spec 2.8. The URL is never fetched. */
const isSourceUrl = (given: string): boolean =>
  /^https?:\/\//i.test(given) && URL.canParse(given) && new URL(given).port !== "0"

/** The configuration of an audience. */
export const ConfigRequest = Schema.Struct({
  ...fields,
  sourceUrl: optional(
    `The site the audience was built from, at most ${urlLengthMax} characters.`,
    requestText({ lengthMin: 1, lengthMax: urlLengthMax }).check(
      Schema.makeFilter(isSourceUrl, {
        issueCode: "format",
        expected: "a URL that starts with http:// or https://",
      }),
    ),
  ),
  // spec 2.8
  topics: described(
    "Ignored, because it is derived from `topicIds`. Accepted so that you can send back a configuration you received.",
    Schema.optionalKey(Schema.Unknown),
  ),
}).annotate({ identifier: "AudienceConfigRequest" })

/** The active filters, as returned. */
export const AppliedFilters = Schema.Struct({
  companyIndustry: Schema.optionalKey(Schema.Array(Schema.String)),
  seniority: Schema.optionalKey(Schema.Array(Schema.String)),
  companySize: Schema.optionalKey(Schema.Array(Schema.String)),
  department: Schema.optionalKey(Schema.Array(Schema.String)),
  state: Schema.optionalKey(Schema.String),
  companyRevenueRange: Schema.optionalKey(Schema.Array(Schema.String)),
  ageRange: Schema.optionalKey(Schema.Array(Schema.String)),
  gender: Schema.optionalKey(Schema.String),
  isB2b: Schema.optionalKey(Schema.String),
  jobTitle: Schema.optionalKey(Schema.String),
  companyDomain: Schema.optionalKey(Schema.String),
  companyName: Schema.optionalKey(Schema.String),
  hasBusinessEmail: Schema.optionalKey(Schema.Boolean),
  hasPersonalEmail: Schema.optionalKey(Schema.Boolean),
  hasLinkedin: Schema.optionalKey(Schema.Boolean),
  hasPhone: Schema.optionalKey(Schema.Boolean),
}).annotate({ identifier: "AppliedAudienceFilters" })
