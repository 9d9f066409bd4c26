// The schema of one person of an audience's results. Source: spec 2.13, 2.18.

import { count, listOf, object, oneOf, orNull, sha256, text, textOrNull } from "./json-schema.ts"

export const contact = object({
  hashedEmail: sha256,
  firstName: textOrNull,
  lastName: textOrNull,
  fullName: textOrNull,
  email: textOrNull,
  businessEmail: textOrNull,
  personalEmail: textOrNull,
  primaryContactEmail: textOrNull,
  emailStatus: textOrNull,
  phone: textOrNull,
  linkedinUrl: textOrNull,
  headline: textOrNull,
  jobTitle: textOrNull,
  seniority: textOrNull,
  department: textOrNull,
  company: object({
    name: textOrNull,
    domain: textOrNull,
    industry: textOrNull,
    industryGroup: textOrNull,
    revenueRange: textOrNull,
    size: textOrNull,
    linkedinUrl: textOrNull,
  }),
  geo: object({ city: textOrNull, state: textOrNull, country: textOrNull }),
  demographics: object({ ageRange: textOrNull, gender: textOrNull }),
  isB2b: orNull(oneOf("y", "n")),
  intent: object({
    score: { type: "integer", minimum: 1, maximum: 100 },
    topicOverlap: count,
    matchedTopics: listOf(
      object({
        topicId: { type: "integer" },
        topicName: text,
        type: oneOf("b2b", "b2c", "both"),
        industry: text,
        category: text,
      }),
    ),
  }),
})
