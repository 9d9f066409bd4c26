// The schemas of the events of a visitor webhook: one shape. Source: spec 2.1, 8.5.

import {
  constant,
  count,
  type JsonSchema,
  listOf,
  messageId,
  object,
  oneOf,
  orNull,
  sha256,
  text,
  textOrNull,
  timestamp,
  uuid,
} from "./json-schema.ts"

const visitor = {
  email: textOrNull,
  emailHash: sha256,
  emailHashes: object({ sha256, sha1: textOrNull, md5: textOrNull }),
  emails: listOf(text),
  businessEmails: listOf(text),
  personalEmails: listOf(text),
  phones: listOf(text),
  phonesDnc: { type: ["boolean", "null"] },
  customAttribution: { type: "object", additionalProperties: text },
  firstName: textOrNull,
  lastName: textOrNull,
  fullName: textOrNull,
  linkedinUrl: textOrNull,
  companyName: textOrNull,
  companyDomain: textOrNull,
  companyLinkedinUrl: textOrNull,
  companyEmployeeCount: { type: ["integer", "null"] },
  companyTotalRevenue: textOrNull,
  industry: textOrNull,
  companyZipCode: textOrNull,
  jobTitle: textOrNull,
  seniority: textOrNull,
  department: textOrNull,
  city: textOrNull,
  state: textOrNull,
  country: textOrNull,
  sessions: count,
  pageviews: count,
  pricingPageViews: count,
  demoPageViews: count,
  firstSeenAt: timestamp,
  lastSeenAt: timestamp,
  landingPage: textOrNull,
  visitedPages: { ...listOf(text), maxItems: 20 },
  referrer: textOrNull,
  referrerDomain: textOrNull,
  utmSource: textOrNull,
  utmMedium: textOrNull,
  utmCampaign: textOrNull,
  utmTerm: textOrNull,
  utmContent: textOrNull,
  gclid: textOrNull,
  fbclid: textOrNull,
  bingClickId: textOrNull,
  linkedinClickId: textOrNull,
  googleGbraid: textOrNull,
  googleWbraid: textOrNull,
}

const envelope = {
  id: messageId,
  timestamp,
  trigger: oneOf("first_match", "every_update"),
  organizationId: uuid,
  segment: orNull(object({ id: uuid, name: text })),
  pixel: object({ id: uuid, domain: text }),
  ...visitor,
}

const test = { test: constant(true) }

const visitorEvent = (event: string): JsonSchema =>
  object({ ...envelope, event: constant(event) }, test)

export const visitorIdentified = visitorEvent("visitor.identified")
export const visitorUpdated = visitorEvent("visitor.updated")
export const webhookTest = object({ ...envelope, event: constant("webhook.test"), ...test })
