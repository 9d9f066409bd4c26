// The schema of each event, by event name.
import type { WebhookEventName } from "../event.ts"
import {
  intentContactRemoved,
  intentContactUpserted,
  intentSyncCompleted,
  intentSyncStarted,
} from "./intent-event.ts"
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

// Schemas of visitor webhook events: a shape for people, for companies, for page views and for segments. Source: spec
// 2.1, 8.5 to 8.7, 13.3.5.

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

const company = {
  domain: text,
  name: textOrNull,
  industry: textOrNull,
  employeeCount: { type: ["integer", "null"] },
  totalRevenue: textOrNull,
  linkedinUrl: textOrNull,
  city: textOrNull,
  state: textOrNull,
  country: textOrNull,
  firstSeenAt: timestamp,
  lastSeenAt: timestamp,
  sessions: count,
  anonymousSessions: count,
  pageviews: count,
  pricingPageViews: count,
  demoPageViews: count,
  peopleCount: count,
  landingPage: textOrNull,
  referrerDomain: textOrNull,
  utmSource: textOrNull,
  utmMedium: textOrNull,
  utmCampaign: textOrNull,
}

const common = {
  id: messageId,
  timestamp,
  organizationId: uuid,
  pixel: object({ id: uuid, domain: text }),
}

const envelope = {
  ...common,
  trigger: oneOf("first_match", "every_update"),
  segment: orNull(object({ id: uuid, name: text })),
  ...visitor,
}

const companyEnvelope = {
  ...common,
  trigger: constant("company_seen"),
  segment: { type: "null" },
  ...company,
}

const pageEnvelope = {
  ...common,
  trigger: constant("page_viewed"),
  segment: orNull(object({ id: uuid, name: text })),
  page: object({ path: text, title: textOrNull, secondsVisible: { type: ["integer", "null"] } }),
  visitor: orNull(object(visitor)),
  company: orNull(object(company)),
  score: orNull(
    object({
      total: count,
      fit: count,
      interest: count,
      hot: { type: "boolean" },
      top: orNull(
        object({
          part: oneOf("fit", "interest"),
          code: text,
          params: { type: "object" },
          points: { type: "integer" },
        }),
      ),
    }),
  ),
  list: orNull(object({ id: uuid, name: text })),
}

const segmentEnvelope = {
  ...common,
  trigger: oneOf("entered_segment", "left_segment"),
  segment: orNull(object({ id: uuid, name: text })),
  visitor: orNull(object(visitor)),
  company: orNull(object(company)),
}

const test = { test: constant(true) }

const visitorEvent = (event: string): JsonSchema =>
  object({ ...envelope, event: constant(event) }, test)

const visitorIdentified = visitorEvent("visitor.identified")
const visitorUpdated = visitorEvent("visitor.updated")
const companyIdentified = object(
  { ...companyEnvelope, event: constant("company.identified") },
  test,
)
const pageViewed = object({ ...pageEnvelope, event: constant("page.viewed") }, test)
const segmentEntered = object({ ...segmentEnvelope, event: constant("segment.entered") }, test)
const segmentLeft = object({ ...segmentEnvelope, event: constant("segment.left") }, test)
const webhookTest: JsonSchema = {
  anyOf: [envelope, companyEnvelope, pageEnvelope, segmentEnvelope].map((fields) =>
    object({ ...fields, event: constant("webhook.test"), ...test }),
  ),
}

/**
 * The schemas of request bodies, draft 2020-12. Each one allows additional keys, because later versions may add some.
 */
export const webhookEventSchemas: Readonly<Record<WebhookEventName, JsonSchema>> = {
  "intent.audience.sync.started": intentSyncStarted,
  "intent.audience.contact.upserted": intentContactUpserted,
  "intent.audience.contact.removed": intentContactRemoved,
  "intent.audience.sync.completed": intentSyncCompleted,
  "visitor.identified": visitorIdentified,
  "visitor.updated": visitorUpdated,
  "company.identified": companyIdentified,
  "page.viewed": pageViewed,
  "segment.entered": segmentEntered,
  "segment.left": segmentLeft,
  "webhook.test": webhookTest,
}
