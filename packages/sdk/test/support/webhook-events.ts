// An event of every kind with every field, typed by the SDK. The schemas are tested against them, so that types and
// schemas agree.

import type {
  CompanyIdentified,
  IntentContactRemoved,
  IntentContactUpserted,
  IntentSyncCompleted,
  IntentSyncStarted,
  PageViewed,
  SegmentEntered,
  SegmentLeft,
  VisitorIdentified,
  VisitorUpdated,
  WebhookCompany,
  WebhookEvent,
  WebhookEventName,
  WebhookTest,
  WebhookVisitor,
} from "../../src/webhooks.ts"
import { workedWebhooks } from "./worked-webhooks.ts"

const parsed = <Event extends WebhookEvent>(index: number): Event =>
  // The worked example is the text of such an event.
  JSON.parse(workedWebhooks[index]!.body) as Event

const visitor: Required<WebhookVisitor> = {
  email: "jane.mercer@harbor-logistics.example",
  emailHash: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  emailHashes: {
    sha256: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
    sha1: null,
    md5: null,
  },
  emails: ["jane.mercer@harbor-logistics.example"],
  businessEmails: ["jane.mercer@harbor-logistics.example"],
  personalEmails: [],
  phones: ["+14155550134"],
  phonesDnc: null,
  customAttribution: { campaign_id: "spring" },
  firstName: "Jane",
  lastName: "Mercer",
  fullName: "Jane Mercer",
  linkedinUrl: null,
  companyName: "Harbor Logistics",
  companyDomain: "harbor-logistics.example",
  companyLinkedinUrl: null,
  companyEmployeeCount: 340,
  companyTotalRevenue: "50 million to 100 million",
  industry: "maritime transportation",
  companyZipCode: "94105",
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  city: "San Francisco",
  state: "CA",
  country: "US",
  sessions: 2,
  pageviews: 7,
  pricingPageViews: 1,
  demoPageViews: 0,
  firstSeenAt: "2026-03-10T14:02:11.000Z",
  lastSeenAt: "2026-03-11T08:55:40.000Z",
  landingPage: "https://tidewater.example/",
  visitedPages: ["https://tidewater.example/pricing"],
  referrer: null,
  referrerDomain: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
  gclid: null,
  fbclid: null,
  bingClickId: null,
  linkedinClickId: null,
  googleGbraid: null,
  googleWbraid: null,
}

const company: Required<WebhookCompany> = {
  domain: "harbor-logistics.example",
  name: "Harbor Logistics",
  industry: "maritime transportation",
  employeeCount: 340,
  totalRevenue: "50 million to 100 million",
  linkedinUrl: null,
  city: "San Francisco",
  state: "CA",
  country: "US",
  firstSeenAt: "2026-03-10T14:02:11.000Z",
  lastSeenAt: "2026-03-11T08:55:40.000Z",
  sessions: 4,
  anonymousSessions: 2,
  pageviews: 11,
  pricingPageViews: 2,
  demoPageViews: 0,
  peopleCount: 1,
  landingPage: "https://tidewater.example/",
  referrerDomain: null,
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
}

const envelope = {
  id: "msg_abcdefghijklmnopqrstuvwxyz",
  timestamp: "2026-03-11T09:05:00.000Z",
  trigger: "first_match",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  segment: { id: "5b5c6f4e-2a4c-4a53-9f6e-0d0c9c1f7b11", name: "Pricing" },
  pixel: { id: "0f0d6a92-7f0e-4c53-8d1c-0a9be54fd2c3", domain: "tidewater.example" },
  ...visitor,
} as const

const inSegment = {
  id: envelope.id,
  timestamp: envelope.timestamp,
  organizationId: envelope.organizationId,
  segment: envelope.segment,
  pixel: envelope.pixel,
  visitor,
  company: null,
} as const

const upserted = parsed<IntentContactUpserted>(1)
const removed: IntentContactRemoved = {
  ...upserted,
  event: "intent.audience.contact.removed",
  data: {
    audience: upserted.data.audience,
    delivery: { ...upserted.data.delivery, sequence: 2 },
    runId: upserted.data.runId,
    dataDate: upserted.data.dataDate,
    reason: "left",
    contact: { hashedEmail: upserted.data.contact.hashedEmail, externalKey: "customer-7" },
  },
}

export const webhookEvents: {
  readonly "intent.audience.sync.started": IntentSyncStarted
  readonly "intent.audience.contact.upserted": IntentContactUpserted
  readonly "intent.audience.contact.removed": IntentContactRemoved
  readonly "intent.audience.sync.completed": IntentSyncCompleted
  readonly "visitor.identified": VisitorIdentified
  readonly "visitor.updated": VisitorUpdated
  readonly "company.identified": CompanyIdentified
  readonly "page.viewed": PageViewed
  readonly "segment.entered": SegmentEntered
  readonly "segment.left": SegmentLeft
  readonly "webhook.test": WebhookTest
} & Readonly<Record<WebhookEventName, WebhookEvent>> = {
  "intent.audience.sync.started": parsed<IntentSyncStarted>(0),
  "intent.audience.contact.upserted": upserted,
  "intent.audience.contact.removed": removed,
  "intent.audience.sync.completed": parsed<IntentSyncCompleted>(2),
  "visitor.identified": { ...envelope, event: "visitor.identified" },
  "visitor.updated": {
    ...envelope,
    event: "visitor.updated",
    trigger: "every_update",
    segment: null,
  },
  "company.identified": {
    id: envelope.id,
    event: "company.identified",
    timestamp: envelope.timestamp,
    trigger: "company_seen",
    organizationId: envelope.organizationId,
    segment: null,
    pixel: envelope.pixel,
    ...company,
  },
  "page.viewed": {
    id: envelope.id,
    event: "page.viewed",
    timestamp: envelope.timestamp,
    trigger: "page_viewed",
    organizationId: envelope.organizationId,
    segment: envelope.segment,
    pixel: envelope.pixel,
    page: { path: "/pricing", title: "Pricing", secondsVisible: 42 },
    visitor,
    company,
    score: {
      total: 82,
      fit: 90,
      interest: 74,
      hot: true,
      top: { part: "interest", code: "visited_pricing", params: { count: 1 }, points: 30 },
    },
    list: { id: "8c1f6f0e-6f0f-4f6e-9a53-0b8f4f1c2d3e", name: "Target accounts" },
  },
  "segment.entered": { ...inSegment, event: "segment.entered", trigger: "entered_segment" },
  "segment.left": {
    ...inSegment,
    event: "segment.left",
    trigger: "left_segment",
    visitor: null,
    company,
  },
  "webhook.test": { ...envelope, event: "webhook.test", test: true },
}
