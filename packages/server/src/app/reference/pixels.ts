// Pixels, suppression rules and visitor webhooks.
import type { OperationTexts } from "./operation-text.ts"
import {
  answer,
  deleted,
  janeHash,
  onePage,
  organizationId,
  pixelId,
  testResult,
  webhookSecret,
} from "./sample.ts"

const settings = {
  consent: "auto",
  spa: "auto",
  emailCapture: "forms",
  cookies: "first-party",
  cookieDomain: null,
  respectDnt: false,
  pricingPaths: ["/pricing"],
  demoPaths: ["/demo"],
  ignoredReferrers: ["login.example.com"],
  topicRules: [{ path: "/product", topicId: 1204 }],
  keyPages: [{ path: "/security", name: "Security" }],
}

const pixel = {
  id: pixelId,
  domain: "tidewater.example",
  name: "Tidewater website",
  status: "active",
  pausedReason: null,
  excludedPaths: ["/careers"],
  includedPaths: null,
  settings,
  verifiedAt: "2026-03-09T15:12:41.002Z",
  lastEventAt: "2026-03-11T08:42:10.500Z",
  createdAt: "2026-03-09T14:00:00.000Z",
  updatedAt: "2026-03-09T14:00:00.000Z",
}

const host = "https://pixel.tidewater.example/p/"
const immutable = `${host}${pixelId}.9f2c41d07ab3.js`
const integrity = "sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"

const pixelWithCode = {
  ...pixel,
  code: `<script async src="${host}${pixelId}.js"></script>`,
  embed: {
    immutable: {
      url: immutable,
      integrity,
      code: `<script async src="${immutable}" integrity="${integrity}" crossorigin="anonymous"></script>`,
    },
    contentSecurityPolicy: { scriptSrc: host, connectSrc: host },
  },
}

const writeKey = {
  id: "5e0c2f7a-3f5b-4a0e-9a55-2b7d1f7f9a01",
  name: "Checkout service",
  kind: "server",
  last4: "x7Qd",
  createdAt: "2026-03-11T09:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
}

const sharedUserId = {
  id: "8c1f0d6e-5b0a-8f4e-9d51-7a2b3c4d5e6f",
  userId: "demo-account",
  sharedAt: "2026-03-11T10:15:00.000Z",
}

const rule = {
  id: "b8460a14-0bbe-4a55-b1c1-00a6a3064e5b",
  type: "domain",
  value: "rival-freight.example",
  createdAt: "2026-03-11T09:01:00.000Z",
  origin: {
    id: "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c",
    kind: "import",
    name: "rivals.csv",
    member: "ana@harbor.example",
  },
  note: "Rivals",
}

const inboundUrl = "https://footfall.harbor.example/in/in_…"
const inbound = {
  id: "8d1b6f3a-52c4-4e0b-9a77-1c2d3e4f5a6b",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "RB2B",
  pixelId,
  preset: "rb2b",
  mapping: null,
  consent: "vouched",
  status: "active",
  last4: "q7Xw",
  isSigned: false,
  formerUrlUntil: null,
  lastRequestAt: "2026-03-11T09:05:00.000Z",
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-01T10:00:00.000Z",
}
const inboundRequest = {
  id: "0e9d8c7b-6a5f-4e3d-8c2b-1a0f9e8d7c6b",
  receivedAt: "2026-03-11T09:05:00.000Z",
  records: 2,
  outcomes: [
    { outcome: "person", reason: null, records: 1 },
    { outcome: "rejected", reason: "no_identity", records: 1 },
  ],
}

const source = {
  id: "2c7f0d1e-9b4a-4f6c-8e2d-3a5b7c9d1e0f",
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "CRM customers",
  kind: "url",
  types: ["email"],
  schedule: "daily",
  status: "active",
  connectedAccountId: null,
  listId: null,
  people: null,
  url: "https://crm.harbor.example/customers.csv",
  column: null,
  headerNames: ["authorization"],
  rules: 1842,
  attention: null,
  lastSync: {
    at: "2026-03-11T03:00:02.000Z",
    outcome: "synced",
    new: 12,
    removed: 3,
    errorCode: null,
    errorMessage: null,
  },
  nextSyncAt: "2026-03-12T03:00:02.000Z",
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-11T03:00:02.000Z",
}

const rules = [
  { type: "email", value: "ops@tidewater.example" },
  { type: "company_domain", value: "co.uk" },
]
const rejected = [{ index: 1, type: "company_domain", value: "co.uk", reason: "public_suffix" }]

const webhookId = "9d3f6f8e-0f7c-4d5f-8f0b-3f9b8a3f6f21"
const webhook = {
  id: webhookId,
  organizationId,
  name: "CRM intake",
  url: "https://hooks.tidewater.example/visitors",
  recipients: null,
  trigger: "first_match",
  path: null,
  minSeconds: null,
  segmentId: null,
  listId: null,
  identified: null,
  again: null,
  pixelId: null,
  pixelDeleted: false,
  format: "standard",
  digest: "immediate",
  digestHour: null,
  digestDay: null,
  status: "active",
  signingVersion: "v1",
  timeoutMs: 10000,
  stats: {
    deliveries: 128,
    succeeded: 127,
    failed: 1,
    successRate: 0.992,
    consecutiveFailures: 0,
    lastDeliveredAt: "2026-03-11T08:42:12.000Z",
    lastErrorAt: "2026-03-10T11:20:00.000Z",
    lastErrorMessage: "The receiver responded with 502.",
  },
  retrying: null,
  createdAt: "2026-03-09T14:10:00.000Z",
  updatedAt: "2026-03-09T14:10:00.000Z",
}

const webhookDelivery = {
  id: "msg_vznk635jyuu43bebfprp7pofzk",
  webhookId,
  event: "visitor.identified",
  visitorHash: janeHash,
  companyDomain: null,
  status: "succeeded",
  attempts: 1,
  statusCode: 204,
  errorMessage: null,
  responseSnippet: null,
  nextAttemptAt: null,
  createdAt: "2026-03-11T08:42:11.000Z",
  completedAt: "2026-03-11T08:42:12.000Z",
}

export const pixels: OperationTexts = {
  "pixels.list": {
    summary: "List pixels",
    description: "Returns every pixel of the organization, newest first. The list is not paged.",
    responses: { 200: answer([pixel]) },
  },
  "pixels.create": {
    summary: "Create a pixel",
    description:
      "Creates a pixel for one domain. Add the tag in `code` to every page of the site, or the " +
      "tag in `embed` to pin the script to its hash. A domain can have one pixel. A second one " +
      "returns `PIXEL_EXISTS`.",
    request: { domain: "tidewater.example", name: "Tidewater website" },
    responses: { 201: answer(pixelWithCode) },
  },
  "pixels.get": {
    summary: "Get a pixel",
    description: "Returns one pixel with the tag to add to the site.",
    responses: { 200: answer(pixelWithCode) },
  },
  "pixels.update": {
    summary: "Update a pixel",
    description:
      "Updates the fields you send. Set `status` to `paused` to stop recording, and to `active` to resume.",
    request: { excludedPaths: ["/careers"], settings: { emailCapture: "forms" } },
    responses: { 200: answer(pixel) },
  },
  "pixels.delete": {
    summary: "Delete a pixel",
    description:
      "Deletes a pixel. Its script stops loading, but its data is kept. You can then create a " +
      "new pixel for the domain.",
    responses: { 200: deleted },
  },
  "pixels.verify": {
    summary: "Verify a pixel",
    description:
      "Checks whether the pixel receives events from its own site. If it does not, the server " +
      "reads the site's home page. `reason` is what is wrong, and each finding includes a fix.",
    responses: {
      200: answer({
        verified: true,
        verifiedAt: "2026-03-09T15:12:41.002Z",
        lastEventAt: "2026-03-11T08:42:10.500Z",
        reason: null,
        findings: [],
      }),
    },
  },
  "sharedUserIds.list": {
    summary: "List shared user ids",
    description:
      "Returns the user ids that strangers share, newest first, at most 100. A source sent each of them from more than " +
      "20 browsers with more than 3 email addresses within 7 days, so it no longer joins browsers. " +
      "`userId` is null if it is an email address. The list is not paged.",
    responses: { 200: answer([sharedUserId]) },
  },
  "sharedUserIds.release": {
    summary: "Release a shared user id",
    description:
      "Lets a user id join browsers again. Correct what your site sends as `userId` first: the server counts " +
      "from zero, and finds an id that strangers still share again.",
    responses: { 200: deleted },
  },
  "writeKeys.list": {
    summary: "List write keys",
    description:
      "Returns the write keys of a pixel, at most 100: active keys first, then revoked ones, " +
      "newest first. The list is not paged.",
    responses: { 200: answer([writeKey]) },
  },
  "writeKeys.create": {
    summary: "Create a write key",
    description:
      "Creates a key for sending events to the pixel over the tracking contract. Store `writeKey`: the API " +
      "does not show it again. A pixel can have at most 20 active keys.",
    request: { name: "Checkout service", kind: "server" },
    errors: { 409: "20 keys are active" },
    responses: {
      201: answer({ writeKey: "wk_2sFz0Jd5Qk8WnTqYb3LxGh7VrMc1PaUe4Iy6oZk9x7Q", key: writeKey }),
    },
  },
  "writeKeys.revoke": {
    summary: "Revoke a write key",
    description:
      "Revokes a key. It stops working within a second, or after `graceHours`. To rotate a key, create " +
      "a new one and revoke the old one with a grace period. Revoke again to end the grace period sooner.",
    request: { graceHours: 24 },
    responses: { 200: deleted },
  },
  "pixelTopics.suggest": {
    summary: "Suggest topic rules",
    description:
      "Reads up to 20 pages of the pixel's site and proposes topic rules, each with the page " +
      "and the words it is based on. Does not save anything: send the rules you want as " +
      "`settings.topicRules` of the pixel.",
    request: {},
    responses: {
      200: answer({
        rules: [
          {
            path: "/warehouse",
            topicId: 1204,
            topicName: "Warehouse Management Software",
            evidence: {
              url: "https://acme.example/warehouse",
              title: "Warehouse management",
              words: ["warehouse management"],
              similarity: 0.8123,
            },
          },
        ],
        pages: [
          { url: "https://acme.example/", title: "Acme", unreadable: null },
          {
            url: "https://acme.example/warehouse",
            title: "Warehouse management",
            unreadable: null,
          },
          { url: "https://acme.example/old", title: null, unreadable: "status" },
        ],
      }),
    },
  },
  "suppression.industries": {
    summary: "List visitor industries",
    description:
      "Returns the industries of your identified visitors, the most common first, and whether a rule " +
      "suppresses each one.",
    responses: {
      200: answer([{ value: "maritime transportation", visitors: 214, suppressed: false }], {
        visitorsWithoutIndustry: 96,
        suppressedIndustryRules: 2,
        limit: 100,
      }),
    },
  },
  "suppression.list": {
    summary: "List suppression rules",
    description:
      "Returns suppression rules, newest first. `filteredTotal` counts the rules that match `type` and " +
      "`q`; `total` and `counts` cover all of them.",
    responses: {
      200: answer(
        {
          rules: [rule],
          counts: { email: 1, domain: 1, company_domain: 0, industry: 2 },
          total: 4,
          filteredTotal: 1,
          limit: 500,
          offset: 0,
          hasMore: false,
        },
        { hasMore: false, nextCursor: null },
      ),
    },
  },
  "suppression.add": {
    summary: "Add suppression rules",
    description:
      "Adds up to 25,000 rules and keeps the existing ones. Counts duplicates, lists invalid " +
      "rows in `rejected`, and adds the valid ones. Safe to repeat.",
    request: { rules },
    responses: {
      200: answer({
        added: 1,
        removed: 0,
        duplicates: 0,
        rejectedCount: 1,
        rejected,
        total: 4,
      }),
    },
  },
  "suppression.replace": {
    summary: "Replace suppression rules",
    description:
      "Replaces every rule with the ones you send, in one transaction. With `types`, only rules of " +
      "those types are replaced. An empty list deletes them.",
    request: { rules: [{ type: "industry", value: "higher education" }], types: ["industry"] },
    responses: {
      200: answer({
        added: 1,
        removed: 2,
        duplicates: 0,
        rejectedCount: 0,
        rejected: [],
        total: 3,
      }),
    },
  },
  "suppression.remove": {
    summary: "Delete suppression rules",
    description:
      "Deletes rules by id, by type and value, or both, up to 25,000 at a time. Ignores rules " +
      "that do not exist.",
    request: {
      ids: ["b8460a14-0bbe-4a55-b1c1-00a6a3064e5b"],
      rules: [{ type: "email", value: "ops@tidewater.example" }],
    },
    responses: { 200: answer({ deleted: 2, total: 2 }) },
  },
  "suppression.removeOne": {
    summary: "Delete a suppression rule",
    description:
      "Deletes one rule. People it suppressed are visible again unless another rule matches.",
    responses: { 200: answer({ deleted: 1, total: 3 }) },
  },
  "suppression.preview": {
    summary: "Preview suppression rules",
    description:
      "Returns what adding these rules would do, without changing anything. `affectedVisitors` " +
      "counts people seen in the last 30 days who are not suppressed by an existing rule. `sample` " +
      "names at most 10 of them, last seen first.",
    request: { rules },
    responses: {
      200: answer({
        wouldAdd: 1,
        duplicates: 0,
        rejectedCount: 1,
        rejected,
        affectedVisitors: 3,
        affectedByType: { email: 3, domain: 0, company_domain: 0, industry: 0 },
        sample: [{ emailHash: janeHash, email: "jane@acme.example", fullName: "Jane Mercer" }],
      }),
    },
  },
  "suppressionSources.list": {
    summary: "List suppression sources",
    description: "Returns every suppression source of the organization, newest first.",
    responses: { 200: answer([source], { total: 1 }) },
  },
  "suppressionSources.create": {
    summary: "Create a suppression source",
    description:
      "Creates a source, which is mirrored into rules at once and then on its schedule. A source of a service reads the people of a connected account: those on a list, or everyone in it. An organization has at most 20.",
    request: {
      name: "CRM customers",
      kind: "url",
      url: "https://crm.harbor.example/customers.csv",
      types: ["email"],
      schedule: "daily",
      headers: { authorization: "Bearer crm-export-key" },
    },
    responses: { 201: answer({ ...source, rules: 0, lastSync: null }) },
  },
  "suppressionSources.get": {
    summary: "Get a suppression source",
    description: "Returns one source with the outcome of its last sync.",
    responses: { 200: answer(source) },
  },
  "suppressionSources.update": {
    summary: "Update a suppression source",
    description:
      "Changes a source and syncs it. A paused source keeps its rules. `headers` replaces all headers. A source of a service can be given another account of that service, for example after its key was replaced.",
    request: { schedule: "hourly" },
    responses: { 200: answer({ ...source, schedule: "hourly" }) },
  },
  "suppressionSources.delete": {
    summary: "Delete a suppression source",
    description:
      "Deletes a source with its rules, except those that a member, a file or another source has too. `rules=keep` keeps them all.",
    responses: { 200: answer({ deleted: true }) },
  },
  "suppressionSources.sync": {
    summary: "Sync a suppression source",
    description: "Syncs a source as soon as possible. A paused source returns 409.",
    responses: { 200: answer(source) },
  },
  "suppressionSources.approve": {
    summary: "Approve a sync",
    description:
      "Lets a source that needs attention remove as many rules as it wanted to, and syncs it. More removals need another approval.",
    responses: { 200: answer(source) },
  },
  "inbound.list": {
    summary: "List inbound sources",
    description: "Returns every inbound source of the organization, newest first.",
    responses: { 200: answer([inbound], { total: 1 }) },
  },
  "inbound.create": {
    summary: "Create an inbound source",
    description:
      "Creates a URL to which a vendor of identification, a form or a calendar sends. The URL is only in this response. Whoever has it can send, so treat it as a password. An organization has at most 20 sources.",
    request: { name: "RB2B", pixelId, preset: "rb2b" },
    responses: { 201: answer({ inbound: { ...inbound, lastRequestAt: null }, url: inboundUrl }) },
  },
  "inbound.test": {
    summary: "Test a mapping",
    description:
      "Returns what the records of a sample would become: their kind and fields, or why they would be rejected. Nothing is kept.",
    request: {
      preset: "rb2b",
      sample: { "Business Email": "jane@acme.example", "Employee Count": "51-200" },
    },
    responses: {
      200: answer({
        records: [{ kind: "person", fields: { email: "jane@acme.example", employeeCount: 51 } }],
        rejected: [],
      }),
    },
  },
  "inbound.get": {
    summary: "Get an inbound source",
    description: "Returns one inbound source.",
    responses: { 200: answer(inbound) },
  },
  "inbound.update": {
    summary: "Update an inbound source",
    description:
      "Changes a source. A paused source answers requests and keeps nothing. After a change of the signing secret the former one is good for 24 hours.",
    request: { status: "paused" },
    responses: { 200: answer({ ...inbound, status: "paused" }) },
  },
  "inbound.delete": {
    summary: "Delete an inbound source",
    description:
      "Deletes a source with its history. Its URL stops working. The visits that it brought stay.",
    responses: { 200: answer({ deleted: true }) },
  },
  "inbound.rotate": {
    summary: "Replace the URL",
    description:
      "Makes a new URL, which is only in this response. The former one works for `graceHours` more.",
    request: { graceHours: 24 },
    responses: {
      200: answer({
        inbound: { ...inbound, formerUrlUntil: "2026-03-12T09:00:00.000Z" },
        url: inboundUrl,
      }),
    },
  },
  "inbound.history": {
    summary: "List what arrived",
    description:
      "Returns the newest 200 requests of the last 7 days, and how many of their records became what. It names no one.",
    responses: { 200: answer([inboundRequest]) },
  },
  "inbound.runAgain": {
    summary: "Map a request again",
    description:
      "Maps the records of a request again that were rejected or had no address, for example after a change of the mapping. What was taken is not taken twice.",
    responses: {
      200: answer({
        ...inboundRequest,
        outcomes: [{ outcome: "person", reason: null, records: 2 }],
      }),
    },
  },
  "fileImports.plan": {
    summary: "Plan an import",
    description:
      "Sends a file of suppression rules or values of a list, of any size, and returns what it would do. Nothing changes " +
      "before the plan is applied. The file is CSV with any delimiter, a list with one value per line, or " +
      "NDJSON of `{type, value}` (of a list: `{value}` or a text), in UTF-8 or UTF-16, plain or gzipped. If the file does not say which " +
      "column holds the values, or which type they have, the response is 400 `COLUMN_UNKNOWN`. " +
      "With `importId`, the file is added to an earlier plan.",
    request: {
      "text/csv": "email,name\nops@tidewater.example,Operations\nnot an address,Unknown\n",
      "application/x-ndjson": '{"type":"email","value":"ops@tidewater.example"}\n',
    },
    responses: {
      200: answer({
        importId: "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c",
        kind: "suppression-rules",
        listId: null,
        mode: "add",
        note: null,
        types: null,
        expiresAt: "2026-03-11T10:30:00.000Z",
        rows: 2,
        rules: 1,
        new: 1,
        present: 0,
        removed: 0,
        rejected: 1,
        repeated: 0,
        guard: null,
        byType: {
          rules: { email: 1, domain: 0, company_domain: 0, industry: 0 },
          new: { email: 1, domain: 0, company_domain: 0, industry: 0 },
          removed: { email: 0, domain: 0, company_domain: 0, industry: 0 },
          rejected: { email: 1, domain: 0, company_domain: 0, industry: 0 },
          stored: { email: 1, domain: 1, company_domain: 0, industry: 2 },
        },
        files: [
          {
            name: "customers.csv",
            reading: 'a table (commas), column "email": email addresses',
            rows: 2,
            rejected: 1,
          },
        ],
        sample: { new: [{ type: "email", value: "ops@tidewater.example" }], removed: [] },
        rejectedByReason: [{ reason: "invalid_email", rows: 1 }],
        rejectedRows: [
          { file: 0, line: 3, type: "email", value: "not an address", reason: "invalid_email" },
        ],
        freeMailDomains: [],
        affected: {
          visitors: 3,
          byType: { email: 3, domain: 0, company_domain: 0, industry: 0 },
          sample: [{ emailHash: janeHash, email: "jane@acme.example", fullName: "Jane Mercer" }],
        },
        layout: {
          firstRows: [
            ["email", "name"],
            ["ops@tidewater.example", "Operations"],
            ["not an address", "Unknown"],
          ],
          column: 1,
          type: "email",
          header: true,
        },
        listVersion: "2026-03-11 09:12:44.102+00",
      }),
    },
  },
  "fileImports.apply": {
    summary: "Apply an import",
    description:
      "Applies a plan in one transaction. A plan whose `guard` is not null needs what the guard asks for. " +
      "A plan with `mode` `replace` is refused if the list has changed since.",
    request: { importId: "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c" },
    responses: { 200: answer({ added: 1, removed: 0, total: 5 }) },
  },
  "fileImports.list": {
    summary: "List imports",
    description:
      "Returns the imports of a kind that were applied and changed something, newest first.",
    responses: {
      200: answer(
        [
          {
            importId: "6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c",
            kind: "suppression-rules",
            listId: null,
            name: "customers.csv",
            note: "Customers",
            mode: "add",
            added: 1,
            removed: 0,
            member: "ana@harbor.example",
            appliedAt: "2026-03-11T09:31:00.000Z",
            undoableUntil: "2026-03-18T09:31:00.000Z",
            undoneAt: null,
          },
        ],
        { limit: 50, offset: 0, total: 1, hasMore: false, nextCursor: null },
      ),
    },
  },
  "fileImports.undo": {
    summary: "Undo an import",
    description:
      "Undoes an import, once and within 7 days. What it added goes, except what someone has added again since. " +
      "What it removed returns. Afterwards, and for an older import, the response is 409.",
    responses: { 200: answer({ added: 0, removed: 1, total: 4 }) },
  },
  "fileImports.rejected": {
    summary: "Download the rejected rows",
    description:
      "Returns the rejected rows of a plan as CSV, with the line, the reason, and a message where the " +
      "reason is not enough. At most 100,000 rows of each file.",
    responses: {
      200: "line,type,value,reason,message\r\n3,email,not an address,invalid_email,\r\n",
    },
  },
  "fileImports.drop": {
    summary: "Drop an import",
    description: "Drops a plan. A plan that is not applied is dropped after an hour.",
    responses: { 200: answer({ dropped: true }) },
  },
  "suppression.ofVisitor": {
    summary: "Get a visitor's suppression",
    description:
      "Returns whether a visitor is suppressed, and the rules that match them now. Rules take " +
      "effect in cycles, so the two can differ briefly after a change.",
    responses: { 200: answer({ suppressed: true, rules: [rule] }) },
  },
  "webhooks.list": {
    summary: "List visitor webhooks",
    description: "Returns every visitor webhook of the organization, newest first.",
    responses: { 200: answer([webhook], { total: 1 }) },
  },
  "webhooks.create": {
    summary: "Create a visitor webhook",
    description:
      "Creates a webhook that sends identified visitors, companies or page views to your server. Store " +
      "`webhookSecret`: it signs every request, and the API does not show it again. Messages to people are not " +
      "signed, so their webhook has none. With the format `email`, send `recipients` instead of `url`.",
    request: {
      name: "CRM intake",
      url: "https://hooks.tidewater.example/visitors",
      trigger: "first_match",
    },
    errors: {
      400: "the URL is not allowed, a recipient is no member, or the trigger has no use for a field or the segment",
      404: "the segment, the list or the pixel is unknown",
      409: "20 webhooks exist, or the server sends no email",
    },
    responses: { 201: answer({ webhook, webhookSecret }) },
  },
  "webhooks.preview": {
    summary: "Try a visitor webhook",
    description:
      "Tries a webhook on the sessions of the last 24 hours, 7 or 30 days: how often it would have sent, and the message " +
      "about the newest session that matches. Takes the body of a creation, without `name`, `url` and `recipients` if you like. Nothing is " +
      "stored or sent.",
    request: { trigger: "page_viewed", path: "/pricing", again: "24h", timeframe: "7d" },
    errors: {
      400: "the trigger has no use for a field or the segment",
      404: "the segment, the list or the pixel is unknown",
    },
    responses: {
      200: answer({
        message: '{"id":"msg_vznk635jyuu43bebfprp7pofzk","event":"page.viewed"}',
        told: 12,
        heldBack: { again: 5, suppressed: 2 },
        byAgain: { every_session: 17, "1h": 15, "24h": 12, "7d": 9, once: 9 },
        samples: [
          {
            at: "2026-03-11T08:42:11.000Z",
            visitor: null,
            company: { domain: "harbor-logistics.example", name: "Harbor Logistics" },
            page: { path: "/pricing", title: "Pricing", secondsVisible: 42 },
            told: true,
          },
        ],
      }),
    },
  },
  "webhooks.get": {
    summary: "Get a visitor webhook",
    description:
      "Returns one visitor webhook with its delivery statistics. Never returns the secret.",
    responses: { 200: answer(webhook) },
  },
  "webhooks.update": {
    summary: "Update a visitor webhook",
    description:
      "Updates the fields you send. Setting `status` to `active` also resumes a webhook that was " +
      "disabled after repeated failures. A change to the format `email` needs `recipients` and drops the URL; a " +
      "change from it needs `url`.",
    request: { trigger: "every_update", timeoutMs: 15000 },
    errors: {
      400: "the URL is not allowed, a recipient is no member, or the trigger has no use for a field or the segment",
      409: "the server sends no email",
    },
    responses: { 200: answer({ ...webhook, trigger: "every_update", timeoutMs: 15000 }) },
  },
  "webhooks.delete": {
    summary: "Delete a visitor webhook",
    description: "Permanently deletes a webhook. Queued deliveries are not sent.",
    responses: { 200: deleted },
  },
  "webhooks.rotateSecret": {
    summary: "Rotate a webhook secret",
    description:
      "Creates a new signing secret and returns it once. The old secret keeps signing for `graceHours`, " +
      "so you can update your receiver without missing events.",
    request: { graceHours: 24 },
    errors: { 409: "requests in the webhook's format are not signed" },
    responses: { 200: answer({ webhook, webhookSecret }) },
  },
  "webhooks.test": {
    summary: "Send a test event",
    description:
      "Sends a `webhook.test` event now and returns your server's response. With the format `email`, every " +
      "recipient gets a test email. Does not count in `stats`.",
    responses: { 200: testResult },
  },
  "webhooks.deliveries": {
    summary: "List webhook deliveries",
    description: "Returns the deliveries of a webhook, newest first.",
    responses: { 200: answer({ deliveries: [webhookDelivery], total: 1 }, onePage(25)) },
  },
  "webhooks.delivery": {
    summary: "Get a webhook delivery",
    description:
      "Returns one delivery with `payload`, the body exactly as it was signed and sent. It is null before the first " +
      "attempt, after the person was erased, and once the server no longer stores it (7 days by default).",
    responses: {
      200: answer({
        ...webhookDelivery,
        payload:
          '{"event":"visitor.identified","id":"msg_vznk635jyuu43bebfprp7pofzk","timestamp":"2026-03-11T08:42:11.000Z","data":{"visitor":{"email":"jane.doe@acme.example"}}}',
      }),
    },
  },
  "webhooks.redeliver": {
    summary: "Resend a webhook delivery",
    description:
      "Resends one delivery once, with the same `webhook-id`. Also works while the webhook is " +
      "inactive. Returns `CONFLICT` when the payload is no longer stored.",
    errors: { 409: "the event is still queued, or its payload is no longer stored" },
    responses: {
      202: answer({
        delivery: { ...webhookDelivery, status: "queued", statusCode: null, completedAt: null },
      }),
    },
  },
}
