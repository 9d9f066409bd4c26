// Visitors, their sessions, saved segments, erasure, link tokens and the account.
import type { OperationTexts } from "./operation-text.ts"
import {
  answer,
  deleted,
  janeHash,
  organizationId,
  page,
  pixelId,
  segmentId,
  userId,
} from "./sample.ts"

const owner = { id: userId, name: "Sam Ortiz", email: "sam@tidewater.example" }

const note = {
  id: "4f3a2b1c-0d9e-4f7a-8b6c-5d4e3f2a1b0c",
  text: "Asked for prices of 40 docks. Call back on Monday.",
  author: { kind: "member", id: userId, name: "Sam Ortiz" },
  createdAt: "2026-03-11T08:50:00.000Z",
  updatedAt: "2026-03-11T08:50:00.000Z",
}

const notesPage = { limit: 50, hasMore: false, nextCursor: null }

/** The same for people and companies. */
const notesOf = (noun: "company" | "person") => {
  const unknown = `the ${noun} is unknown${noun === "person" ? ", held back or erased" : ""}`
  const whose = noun === "company" ? "a company" : "a person"
  const change = {
    403: "another member wrote it, and you are not an admin",
    404: `${unknown}, or has no such note`,
  }
  return {
    list: {
      summary: `List the notes about ${whose}`,
      description: `Returns what your team has noted about ${whose}, newest first.`,
      errors: { 404: unknown },
      responses: { 200: answer([note], notesPage) },
    },
    create: {
      summary: `Add a note to ${whose}`,
      description: `Adds a note to ${whose}. Its author is the member or the API key of the request.`,
      request: { text: note.text },
      errors: { 404: unknown, 409: "there are 200 notes already" },
      responses: { 201: answer(note) },
    },
    update: {
      summary: `Change a note about ${whose}`,
      description:
        "Replaces the text of a note. Its author and admins can, and an API key any note of its organization.",
      request: { text: note.text },
      errors: change,
      responses: { 200: answer(note) },
    },
    delete: {
      summary: `Delete a note about ${whose}`,
      description:
        "Deletes a note. Its author and admins can, and an API key any note of its organization.",
      errors: change,
      responses: { 200: deleted },
    },
  }
}

const personNotes = notesOf("person")
const companyNotes = notesOf("company")

const markErrors = {
  400: "`ownerId` is not the id of a member, or a tag is not valid",
  409: "the organization would have more than 500 different tags",
}

const topReason = {
  part: "interest",
  code: "visited_pricing",
  params: { count: 1, at: "2026-03-11T08:42:10.500Z" },
  points: 36,
}

const jane = {
  email: "jane.mercer@harbor-logistics.example",
  emailHash: janeHash,
  emailHashes: {
    sha256: janeHash,
    sha1: "727b3967957e0a44ea4c7e2670cb480aa669f84d",
    md5: "72d6f2b9f41ce626e22f9cef1cf84541",
  },
  emails: ["jane.mercer@harbor-logistics.example", "jane.mercer@mail.example"],
  businessEmails: ["jane.mercer@harbor-logistics.example"],
  personalEmails: ["jane.mercer@mail.example"],
  phones: ["+14155550134"],
  phonesDnc: false,
  customAttribution: { plan: "trial" },
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
  companyZipCode: "94111",
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  city: "San Francisco",
  state: "CA",
  country: "US",
  sessions: 2,
  pageviews: 4,
  pricingPageViews: 1,
  demoPageViews: 0,
  firstSeenAt: "2026-03-09T15:12:40.120Z",
  lastSeenAt: "2026-03-11T08:42:10.500Z",
  landingPage: "https://www.tidewater.example/blog/dock-planning",
  visitedPages: [
    "https://www.tidewater.example/pricing",
    "https://www.tidewater.example/",
    "https://www.tidewater.example/product",
    "https://www.tidewater.example/blog/dock-planning",
  ],
  referrer: "https://search.example/",
  referrerDomain: "search.example",
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  utmTerm: null,
  utmContent: null,
  gclid: null,
  fbclid: null,
  bingClickId: null,
  linkedinClickId: null,
  googleGbraid: null,
  googleWbraid: null,
  suppressed: false,
  score: { total: 68, fit: 100, interest: 36, hot: true, top: topReason },
  owner,
  tags: ["Pilot", "Q3"],
  allEmails: ["jane.mercer@harbor-logistics.example", "jane.mercer@mail.example"],
  primaryPhone: "+14155550134",
  allPhones: ["+14155550134"],
  phonesDNC: [false],
  company: "Harbor Logistics",
  companyZip: "94111",
  companySize: 340,
  companyRevenue: "50 million to 100 million",
  companyIndustry: "maritime transportation",
  firstSeen: "2026-03-09T15:12:40.120Z",
  lastSeen: "2026-03-11T08:42:10.500Z",
  msclkid: null,
  liFatId: null,
  gbraid: null,
  wbraid: null,
}

const session = {
  sessionId: "44b6a991119bf729d7f1e78f8c987b26",
  startTime: "2026-03-11T08:41:02.000Z",
  endTime: "2026-03-11T08:42:10.500Z",
  durationSeconds: 68,
  pageviews: 2,
  uniquePages: 2,
  pricingPageViews: 1,
  demoPageViews: 0,
  entryPage: "/",
  exitPage: "/pricing",
  channel: "email",
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  clickIdTypes: [],
  pixelId,
  deviceType: "desktop",
  country: "US",
  isFirstSession: false,
  isBounce: false,
  converted: true,
}

const noCampaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

const sessionEvents = [
  {
    id: "0f3c8a52-6d1e-4b97-8c40-5a2e9f7d1b36",
    type: "page",
    at: "2026-03-11T08:41:02.000Z",
    path: "/",
    keyPage: null,
    title: "Tidewater: plan your docks",
    name: null,
    props: null,
    secondsVisible: 21,
    referrerDomain: null,
    ...noCampaign,
    utmSource: "newsletter",
    utmMedium: "email",
    utmCampaign: "spring-launch",
  },
  {
    id: "5be1d07c-3a94-4f6f-9d28-71c0e4a8b2f5",
    type: "page",
    at: "2026-03-11T08:41:23.400Z",
    path: "/pricing",
    keyPage: "pricing",
    title: "Pricing",
    name: null,
    props: null,
    secondsVisible: 30,
    referrerDomain: null,
    ...noCampaign,
  },
  {
    id: "a9d4f6e0-8b17-4c3d-b5e2-0c6f1d7a3e48",
    type: "custom",
    at: "2026-03-11T08:42:10.500Z",
    path: "/pricing",
    keyPage: null,
    title: null,
    name: "Plan selected",
    props: { plan: "team", seats: 12 },
    secondsVisible: null,
    referrerDomain: null,
    ...noCampaign,
  },
]

const ruleAst = {
  version: 1,
  window: "30d",
  rule: {
    all: [
      { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      {
        any: [
          { field: "company.seniority", op: "contains", value: "vp" },
          { field: "company.job_title", op: "contains", value: "director" },
        ],
      },
    ],
  },
}

const segment = {
  id: segmentId,
  organizationId,
  name: "Senior people who looked at prices",
  description: null,
  subject: "people",
  ruleAst,
  createdBy: null,
  createdAt: "2026-03-11T08:55:00.000Z",
  updatedAt: "2026-03-11T08:55:00.000Z",
}

const scope = { pixels: 1, activePixels: 1, lastEventAt: "2026-03-11T08:42:10.500Z" }
const coverage = { partial: false, from: "2026-03-04T09:00:00.000Z" }

const touch = {
  at: "2026-03-11T08:41:02.000Z",
  path: "/",
  referrerDomain: null,
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  utmTerm: null,
  utmContent: null,
  channel: "email",
}

const figures = {
  sessions: 120,
  anonymousSessions: 84,
  pageviews: 310,
  people: 21,
  newPeople: 6,
  suppressedPeople: 2,
  companies: 34,
  pricingPageViews: 25,
  demoPageViews: 7,
}

const breakdownFigures = {
  sessions: 41,
  anonymousSessions: 28,
  pageviews: 57,
  people: 9,
  companies: 14,
}

const activityDay = {
  date: "2026-03-11",
  sessions: 1,
  pageviews: 4,
  pricingPageViews: 2,
  demoPageViews: 0,
  keyPages: ["Security", "pricing"],
}

const company = {
  domain: "harbor-logistics.example",
  name: "Harbor Logistics",
  industry: "maritime transportation",
  employeeCount: 340,
  totalRevenue: "50 million to 100 million",
  linkedinUrl: null,
  city: "Oakland",
  state: "California",
  country: "US",
  firstSeenAt: "2026-03-09T15:12:40.120Z",
  lastSeenAt: "2026-03-11T08:42:10.500Z",
  sessions: 5,
  anonymousSessions: 3,
  pageviews: 11,
  pricingPageViews: 2,
  demoPageViews: 0,
  peopleCount: 1,
  suppressedPeopleCount: 0,
  landingPage: "https://www.tidewater.example/blog/dock-planning",
  referrerDomain: "search.example",
  utmSource: "newsletter",
  utmMedium: "email",
  utmCampaign: "spring-launch",
  suppressed: false,
  score: { total: 68, fit: 100, interest: 36, hot: true, top: topReason },
  owner,
  tags: ["Pilot", "Q3"],
}

const list = {
  id: "7c0d5b8e-2f4a-4c61-9e3b-5a8d1c7f2e90",
  organizationId,
  name: "Accounts we want",
  subject: "companies",
  size: 2,
  createdAt: "2026-03-11T09:00:00.000Z",
  updatedAt: "2026-03-11T09:00:00.000Z",
}

const written = { rejectedCount: 0, rejected: [] }

const scoreSettings = {
  fit: [
    {
      name: "Company with 200 employees or more",
      rule: { field: "company.employee_count", op: "gte", value: 200 },
      points: 60,
    },
  ],
  interest: [
    {
      name: "Viewed pricing",
      rule: { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      points: 40,
      halfLifeDays: 14,
    },
  ],
  weights: { fit: 0.5, interest: 0.5 },
  threshold: 45,
}

const explainedScore = {
  total: 48,
  fit: 60,
  interest: 36,
  hot: true,
  computedAt: "2026-03-13T09:00:00.000Z",
  entries: [
    {
      part: "fit",
      name: "Company with 200 employees or more",
      points: 60,
      reason: { code: "company_size", params: { min: 200 } },
    },
    {
      part: "interest",
      name: "Viewed pricing",
      points: 36,
      reason: {
        code: "visited_pricing",
        params: { count: 1, at: "2026-03-11T09:00:00.000Z" },
      },
    },
  ],
  previous: { dayAgo: 50, monday: null },
}

const erasureReceipt = {
  id: "c1f7b1de-3c52-4d0a-9a8e-0f4f0b7a6c11",
  requestedAt: "2026-03-11T09:05:00.000Z",
  completedAt: "2026-03-11T09:05:04.000Z",
  kinds: [
    { kind: "profile", count: 1 },
    { kind: "sessions", count: 4 },
    { kind: "events", count: 31 },
  ],
  destinations: [
    {
      destinationId: "5d8c2f3a-9a4b-4a55-8c51-2f0b1f4e6a77",
      name: "Newsletter",
      outcome: "deleted",
      at: "2026-03-11T09:05:04.000Z",
    },
  ],
}

export const visitors: OperationTexts = {
  "companies.list": {
    summary: "List companies",
    description:
      "Returns the companies your visitors come from, most recently seen first. Companies come " +
      "from the network of a visit, from business email addresses and from imported data. The " +
      "counts cover all sessions in `timeframe`, including those of anonymous visitors. By default " +
      "they leave out suppressed people and companies, with their sessions.",
    errors: {
      400: "the cursor has expired or belongs to another list",
      404: "`pixelId` is unknown",
    },
    responses: {
      200: answer([company], {
        page: 1,
        limit: 50,
        hasMore: false,
        nextCursor: null,
        total: 1,
        suppressed: "exclude",
        coverage,
        scope,
      }),
    },
  },
  "companies.query": {
    summary: "Query companies",
    description:
      "Returns the companies that match a rule: `ruleAst`, or that of a segment of companies. `behavior.*` and `attribution.*` cover all sessions of " +
      "the company, including anonymous ones. Fields of people, such as `contact.name` and " +
      "`company.job_title`, return `INVALID_RULE`. By default it leaves out suppressed companies, and " +
      "sessions of suppressed people.",
    request: {
      ruleAst: {
        version: 1,
        window: "30d",
        rule: {
          all: [
            { field: "behavior.path_views", of: "/pricing", op: "gte", value: 2 },
            { field: "company.employee_count", op: "gte", value: 200 },
          ],
        },
      },
      page: 1,
      limit: 50,
    },
    errors: {
      400: "the segment is one of people",
      404: "`segmentId` or `pixelId` is unknown",
    },
    responses: {
      200: answer([company], {
        page: 1,
        limit: 50,
        hasMore: false,
        nextCursor: null,
        total: 1,
        coverage,
      }),
    },
  },
  "companies.get": {
    summary: "Get a company",
    description:
      "Returns one company with its latest 50 sessions and up to 50 of its people, suppressed or " +
      "not. `people` omits suppressed people; `suppressedPeopleCount` says how many they are.",
    errors: { 404: "the company was never seen, or not in the window and scope" },
    responses: {
      200: answer({
        ...company,
        journey: { firstTouch: touch, lastTouch: touch, sessions: [session] },
        people: [jane],
      }),
    },
  },
  "companies.activity": {
    summary: "Get a company's activity",
    description:
      "Returns the page views of a company by day, for each of its people and for anonymous visitors by " +
      "country. Days are those of the organization's time zone, and days without a visit are left out. " +
      "It omits suppressed people, and shows people who are held back as anonymous visitors.",
    errors: { 404: "the company was never seen, or `pixelId` is unknown" },
    responses: {
      200: answer({
        timeZone: "Europe/Berlin",
        people: [
          {
            emailHash: janeHash,
            name: "Jane Mercer",
            jobTitle: "Head of Operations",
            days: [activityDay],
          },
        ],
        others: { people: 0, days: [] },
        anonymous: [
          { country: "US", days: [{ ...activityDay, pricingPageViews: 0, keyPages: [] }] },
        ],
      }),
    },
  },
  "companySessions.events": {
    summary: "List the events of a company's session",
    description:
      "Returns the page views and custom events of one session of a company, oldest first, with how " +
      "long each page was visible. It shows every session of the company's `journey`, except those of " +
      "suppressed people. A person who is held back is shown as an anonymous visit.",
    errors: { 404: "the company has no such session, or it is one of a suppressed person" },
    responses: { 200: answer(sessionEvents, { limit: 100, hasMore: false, nextCursor: null }) },
  },
  "overview.get": {
    summary: "Get the overview",
    description:
      "Returns the figures of every day in the period, their totals, and the totals of the period " +
      "before. Days are those of the organization's time zone. With `24h`, `days` is empty, and " +
      "`hours` has the clock hours of the last 24 hours. A session counts when it started. The " +
      "totals count each person and company once. `comparison` is null unless you send `compare`. " +
      "Figures by day lag by a few seconds. By default they leave out suppressed people and " +
      "companies, with their sessions.",
    errors: { 404: "`pixelId` is unknown" },
    responses: {
      200: answer({
        suppressed: "exclude",
        timeZone: "Europe/Berlin",
        days: [{ date: "2026-03-11", ...figures }],
        hours: [],
        totals: figures,
        previous: { ...figures, sessions: 98, people: 17 },
        comparison: null,
      }),
    },
  },
  "overview.breakdown": {
    summary: "Get a breakdown",
    description:
      "Returns the most frequent pages, sources, campaigns, countries or devices of a period, most " +
      "sessions first, with the sessions, people and companies of each. A session counts when it " +
      "started, and once for every page it viewed. `totals` covers all sessions of the period. " +
      "`comparison` is null unless you send `compare`.",
    errors: { 404: "`pixelId` is unknown" },
    responses: {
      200: answer({
        suppressed: "exclude",
        timeZone: "Europe/Berlin",
        by: "page",
        totals: { ...breakdownFigures, sessions: 120, comparison: breakdownFigures },
        rows: [
          {
            value: "/pricing",
            keyPage: "pricing",
            ...breakdownFigures,
            comparison: breakdownFigures,
          },
        ],
        hasMore: false,
      }),
    },
  },
  "visitors.list": {
    summary: "List visitors",
    description:
      "Returns the people your pixels identified, most recently seen first. `q` finds people by any part " +
      "of their name or of an email address. To look up one person, send `email`: `data` is then that " +
      "visitor, with their journey. Keep `timeframe`, `pixelId`, `domain` and `q` the same while you " +
      "page through a list.",
    errors: {
      400: "the cursor has expired or belongs to another list",
      404: "`pixelId` is unknown",
    },
    responses: {
      200: answer([jane], {
        page: 1,
        hasMore: false,
        nextCursor: null,
        total: 1,
        coverage,
        scope,
      }),
    },
  },
  "visitors.query": {
    summary: "Query visitors",
    description:
      "Returns the visitors who match a rule. Send the rule itself as `ruleAst`, or the id of a " +
      "segment of people as `segmentId`. An invalid rule returns `INVALID_RULE`, and `details.path` " +
      "points to the part that is wrong.",
    request: {
      ruleAst,
      pixelId,
      window: "7d",
      page: 1,
      limit: 50,
      suppressed: "exclude",
    },
    errors: {
      400: "the segment is one of companies",
      404: "`segmentId` or `pixelId` is unknown",
    },
    responses: {
      200: answer([jane], {
        page: 1,
        limit: 50,
        hasMore: false,
        nextCursor: null,
        total: 1,
        coverage,
      }),
    },
  },
  "sessions.list": {
    summary: "List a visitor's sessions",
    description:
      "Returns the sessions of one visitor, newest first. The first page sets `asOf`, and later " +
      "pages use the same value, so the list does not shift while you page through it.",
    errors: { 404: "the visitor or `pixelId` is unknown" },
    responses: {
      200: answer([session], {
        asOf: "2026-03-11T09:00:00.000Z",
        limit: 50,
        hasMore: false,
        nextCursor: null,
      }),
    },
  },
  "visitorSessions.events": {
    summary: "List the events of a visitor's session",
    description:
      "Returns what a visitor did in one session: the page views and custom events, oldest first, " +
      "with how long each page was visible.",
    errors: {
      404: "the visitor is unknown, suppressed or held back, or has no such session",
    },
    responses: { 200: answer(sessionEvents, { limit: 100, hasMore: false, nextCursor: null }) },
  },
  "origins.get": {
    summary: "Get the sources of a visitor's data",
    description:
      "Returns the source of each of a visitor's email addresses and profile values: visits, imports, " +
      "identity links, a resolver, or the domain of a business address.",
    responses: {
      200: answer({
        addresses: [
          {
            emailHash: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
            email: "nadia.osei@northwind-robotics.example",
            origin: "visit",
            source: null,
            way: "form",
            pixelId: "5b0f3a7e-2c4d-4e6f-8a9b-0c1d2e3f4a5b",
            firstSeenAt: "2026-03-10T08:00:00.000Z",
          },
        ],
        values: [
          { field: "firstName", origin: "import", source: null },
          { field: "jobTitle", origin: "vendor", source: "RB2B" },
          { field: "companyDomain", origin: "email_domain", source: null },
        ],
      }),
    },
  },
  "erasure.erase": {
    summary: "Erase a person",
    description:
      "Permanently erases all data the organization has about one person. Profile, addresses, " +
      "sessions, events and imported rows are erased immediately; run results, export files and " +
      "webhook payloads within 24 hours. Later visits do not identify this person again. " +
      "`receipt` says what was deleted and which destinations had the person.",
    errors: { 404: "the person is unknown or already erased" },
    responses: { 200: answer({ deleted: true, receipt: erasureReceipt }) },
  },
  "archives.get": {
    summary: "Download everything kept about a person",
    description:
      "Returns a ZIP file with everything that the organization has about one person: `manifest.json`, " +
      "and one file for each kind of data. For everyone who could be erased.",
    errors: { 404: "the person is unknown or already erased" },
    responses: { 200: "PK…" },
  },
  "erasures.list": {
    summary: "List erasures",
    description:
      "Returns the receipts of erasures, newest first. They contain nothing about the person.",
    responses: { 200: page([erasureReceipt]) },
  },
  "erasures.get": {
    summary: "Get an erasure",
    description:
      "Returns the receipt of one erasure, with what its destinations have answered so far.",
    responses: { 200: answer(erasureReceipt) },
  },
  "segments.list": {
    summary: "List segments",
    description: "Returns the organization's saved segments, newest first.",
    responses: { 200: page([segment]) },
  },
  "segments.create": {
    summary: "Create a segment",
    description:
      "Saves a rule under a name. Use a segment of people in visitor queries, audiences and visitor webhooks, one of " +
      "companies in company queries and in webhooks with the triggers `company_seen`, `page_viewed`, `entered_segment` and `left_segment`.",
    request: { name: segment.name, description: null, subject: segment.subject, ruleAst },
    responses: { 201: answer(segment) },
  },
  "segments.get": {
    summary: "Get a segment",
    description: "Returns one saved segment.",
    responses: { 200: answer(segment) },
  },
  "segments.update": {
    summary: "Update a segment",
    description:
      "Updates the fields you send. `ruleAst` replaces the whole rule. The subject never changes.",
    request: { name: "Senior people who looked at prices" },
    responses: { 200: answer(segment) },
  },
  "segments.delete": {
    summary: "Delete a segment",
    description:
      "Permanently deletes a segment. A segment that an audience or a visitor webhook uses returns `SEGMENT_IN_USE`, " +
      "and `details.audienceIds` and `details.webhookIds` list them.",
    responses: { 200: deleted },
  },
  "segments.preview": {
    summary: "Preview a segment",
    description:
      "Counts the visitors or companies that match a rule and returns up to 10 of them. Suppressed companies are left " +
      "out. Saves nothing.",
    request: { ruleAst, pixelId },
    responses: { 200: answer({ count: 1, sample: [jane], companies: [] }) },
  },
  "lists.list": {
    summary: "List lists",
    description: "Returns the organization's lists of companies and people, newest first.",
    responses: { 200: page([list]) },
  },
  "lists.create": {
    summary: "Create a list",
    description:
      "Creates an empty list of companies or people. Add values, and use the list in rules: `company.list` and " +
      "`contact.list`.",
    request: { name: list.name, subject: list.subject },
    errors: { 409: "100 lists exist" },
    responses: { 201: answer({ ...list, size: 0 }) },
  },
  "lists.get": {
    summary: "Get a list",
    description: "Returns one list with its size.",
    responses: { 200: answer(list) },
  },
  "lists.update": {
    summary: "Rename a list",
    description: "Changes the name of a list. The subject never changes.",
    request: { name: "Target accounts" },
    responses: { 200: answer({ ...list, name: "Target accounts" }) },
  },
  "lists.delete": {
    summary: "Delete a list",
    description:
      "Permanently deletes a list and its values. A list that a segment or the score tests, a webhook uses or a " +
      "suppression source mirrors returns `LIST_IN_USE`, and `details` has `segmentIds`, `webhookIds`, " +
      "`suppressionSourceIds` and `score`.",
    responses: { 200: deleted },
  },
  "lists.members": {
    summary: "List the values of a list",
    description:
      "Returns the values of a list in their order. `q` selects those that contain a text.",
    responses: {
      200: answer([{ value: "harbor-logistics.example", addedAt: "2026-03-11T09:00:00.000Z" }], {
        limit: 500,
        hasMore: false,
        nextCursor: null,
      }),
    },
  },
  "lists.addMembers": {
    summary: "Add values to a list",
    description:
      "Adds values that are not in the list. A list of companies contains registrable domains: any name below one, or " +
      "a URL, is read as that domain. A list of people contains email addresses or their SHA-256 hashes.",
    request: { values: ["harbor-logistics.example", "https://www.tidewater.example/about"] },
    errors: { 409: "the list would have more than 1,000,000 values, and nothing was stored" },
    responses: { 200: answer({ ...written, added: 2, present: 0, removed: 0, size: 2 }) },
  },
  "lists.replaceMembers": {
    summary: "Replace the values of a list",
    description: "Makes the list contain these values and no others.",
    request: { values: ["harbor-logistics.example"] },
    errors: { 409: "the list would have more than 1,000,000 values, and nothing was stored" },
    responses: { 200: answer({ ...written, added: 0, present: 1, removed: 1, size: 1 }) },
  },
  "lists.removeMembers": {
    summary: "Remove values from a list",
    description: "Removes values. Those that are not in the list are ignored.",
    request: { values: ["tidewater.example"] },
    responses: { 200: answer({ removed: 1, size: 1 }) },
  },
  "score.get": {
    summary: "Get the score settings",
    description:
      "Returns what people and companies are scored by. `custom` is false while the default is in force.",
    responses: { 200: answer({ ...scoreSettings, custom: true, tooSlow: [] }) },
  },
  "score.put": {
    summary: "Change the score settings",
    description:
      "Replaces what people and companies are scored by. What you leave out is that of the default, so `{}` restores " +
      "the default. Everyone is scored again, those seen last first. This takes seconds, or minutes if there are " +
      "hundreds of thousands of people.",
    request: scoreSettings,
    responses: { 200: answer({ ...scoreSettings, custom: true, tooSlow: [] }) },
  },
  "visitorScore.get": {
    summary: "Get a visitor's score",
    description:
      "Returns the score of a person with its reasons: each entry of the settings that counted, with its points. " +
      "Scores are computed within a minute of a visit, and again a few times a day, because interest fades.",
    errors: { 404: "the visitor is unknown, suppressed or held back, or has no score yet" },
    responses: { 200: answer(explainedScore) },
  },
  "companyScore.get": {
    summary: "Get a company's score",
    description:
      "Returns the score of a company with its reasons. An entry of the fit counts once, if it holds for the company " +
      "or for any of its people. The interest is the sum over its people, at most 40 each. Its anonymous visitors " +
      "together count as one more person. The points of an entry are the sum before this limit.",
    errors: { 404: "the company is unknown or suppressed, or has no score yet" },
    responses: { 200: answer(explainedScore) },
  },
  "visitorMarks.update": {
    summary: "Set a visitor's owner and tags",
    description:
      "Changes the owner and the tags of a person, whichever of their addresses you name, and returns the person " +
      "over the whole history. `tags` replaces all tags.",
    request: { ownerId: userId, tags: ["Q3", "Pilot"] },
    errors: { ...markErrors, 404: "the person is unknown, held back or erased" },
    responses: { 200: answer(jane) },
  },
  "companyMarks.update": {
    summary: "Set a company's owner and tags",
    description:
      "Changes the owner and the tags of a company, and returns the company over the whole history. `tags` replaces " +
      "all tags.",
    request: { ownerId: userId, tags: ["Q3", "Pilot"] },
    errors: { ...markErrors, 404: "the company is unknown" },
    responses: { 200: answer(company) },
  },
  "tags.list": {
    summary: "List tags",
    description:
      "Returns the tags of the organization's people, or of its companies, with how many have each, the most used first.",
    responses: { 200: answer([{ tag: "Q3", count: 12 }]) },
  },
  "visitorNotes.list": personNotes.list,
  "visitorNotes.create": personNotes.create,
  "visitorNotes.update": personNotes.update,
  "visitorNotes.delete": personNotes.delete,
  "companyNotes.list": companyNotes.list,
  "companyNotes.create": companyNotes.create,
  "companyNotes.update": companyNotes.update,
  "companyNotes.delete": companyNotes.delete,
  "visitorTopics.get": {
    summary: "Get a visitor's topics",
    description:
      "Returns the topics that a person researches: those with a score of 1 or more on the newest data date, with " +
      "the score of the date before. At most 100, highest score first.",
    errors: { 404: "the visitor is unknown, suppressed or held back" },
    responses: {
      200: answer({
        dataDate: "2026-03-10",
        previousDate: "2026-03-09",
        topics: [
          {
            topicId: 1204,
            topicName: "Warehouse Management Systems",
            score: 91,
            previousScore: 84,
          },
        ],
      }),
    },
  },
  "companyTopics.get": {
    summary: "Get a company's topics",
    description:
      "Returns the topics that people of a company research, with the highest score among them. It omits suppressed " +
      "people and people who are held back. At most 100 topics, highest score first.",
    errors: { 404: "the company is unknown or suppressed" },
    responses: {
      200: answer({
        dataDate: "2026-03-10",
        previousDate: "2026-03-09",
        topics: [
          {
            topicId: 1204,
            topicName: "Warehouse Management Systems",
            score: 91,
            previousScore: null,
            people: 2,
          },
        ],
      }),
    },
  },
  "linkTokens.create": {
    summary: "Create link tokens",
    description:
      "Creates a token for each person. Add it as `_vid` to the links of an email, and the " +
      "pixel identifies the person who clicks, without an email address in the link.",
    request: {
      people: [{ email: "jane.mercer@harbor-logistics.example" }],
      expiresInDays: 90,
    },
    responses: {
      201: answer({
        tokens: [{ emailHash: janeHash, token: "AX9sJmYyq0h1m3vJ5l0p6w7tq2XcR4uN8dKe" }],
        expiresAt: "2026-06-09T09:00:00.000Z",
      }),
    },
  },
  "account.status": {
    summary: "Get the account status",
    description:
      "Returns the organization's status, credits, pixels and intent access. Also works while the " +
      "organization is suspended or expired.",
    responses: {
      200: answer({
        healthy: true,
        organization: {
          id: organizationId,
          slug: "tidewater",
          name: "Tidewater",
          status: "active",
        },
        credits: {
          used: 412,
          limit: 5000,
          remaining: 4588,
          resetsAt: "2026-04-01T00:00:00.000Z",
          heldBack: 0,
        },
        pixels: { total: 1, active: 1, paused: 0 },
        intent: {
          enabled: true,
          slots: { used: 1, limit: 5, remaining: 4 },
          oneShotEligible: false,
          dataDate: "2026-03-10",
        },
      }),
    },
  },
}
