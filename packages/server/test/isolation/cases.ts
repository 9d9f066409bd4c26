// For every parameter that identifies an object: a valid request around it, and ids of objects that don't exist for the
// caller. matrix.test.ts checks that this table covers the contract.
import { randomBytes, randomUUID } from "node:crypto"
import { password, type Tenant } from "./world.ts"

export interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The body, if it is a file. */
  readonly file?: string
}

/** Ids that don't exist: another organization's, never issued, deleted. */
export interface Absent {
  readonly foreign: string
  readonly unknown?: string
  readonly deleted?: string
}

export interface Case {
  /** A request that succeeds, with objects created for it. */
  readonly good: (ours: Tenant) => Promise<Parts> | Parts
  readonly absent: (ours: Tenant, theirs: Tenant) => Promise<Absent>
  /**
   * `not_found`: 404. `scope`: 400, as when the caller's own cursor is used for something else. `unauthorized`: 401.
   * `unknown_segment`, `unknown_member`: 400, naming the field. `nothing`: 2xx, the same for all of them.
   */
  readonly answer:
    | "not_found"
    | "scope"
    | "unauthorized"
    | "unknown_segment"
    | "unknown_member"
    | "nothing"
}

const pixels = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { id: deleted } = await ours.pixel()
  await ours.ask("DELETE", `/v1/data/pixels/${deleted}`)
  return { foreign: (await theirs.pixel()).id, unknown: randomUUID(), deleted }
}

const domains = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.pixel()
  await ours.ask("DELETE", `/v1/data/pixels/${deleted.id}`)
  const { domain: foreign } = await theirs.pixel()
  return { foreign, unknown: `${randomUUID()}.example`, deleted: deleted.domain }
}

const visitors = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { visitorId: deleted } = await ours.visitor()
  await ours.ask("DELETE", `/v1/data/visitors/${deleted}`)
  const { visitorId: foreign } = await theirs.visitor()
  return { foreign, unknown: randomBytes(32).toString("hex"), deleted }
}

const emails = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { email: deleted, visitorId } = await ours.visitor()
  await ours.ask("DELETE", `/v1/data/visitors/${visitorId}`)
  const { email: foreign } = await theirs.visitor()
  return { foreign, unknown: `${randomUUID()}@acme.example`, deleted }
}

const companies = async (_ours: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: await theirs.company(),
  unknown: `${randomUUID()}.example`,
})

const sessionsOfVisitors = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { sessionId: deleted, visitorId } = await ours.session()
  await ours.ask("DELETE", `/v1/data/visitors/${visitorId}`)
  const { sessionId: foreign } = await theirs.session()
  return { foreign, unknown: randomBytes(16).toString("hex"), deleted }
}

const sessionsOfCompanies = async (_ours: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: (await theirs.companySession()).sessionId,
  unknown: randomBytes(16).toString("hex"),
})

const segments = async (ours: Tenant, theirs: Tenant, subject?: "companies"): Promise<Absent> => {
  const deleted = await ours.segment("Buyers", subject)
  await ours.ask("DELETE", `/v1/data/segments/${deleted}`)
  return { foreign: await theirs.segment("Buyers", subject), unknown: randomUUID(), deleted }
}

const notesOfVisitors = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { noteId: deleted, visitorId } = await ours.visitorNote()
  await ours.ask("DELETE", `/v1/data/visitors/${visitorId}/notes/${deleted}`)
  return { foreign: (await theirs.visitorNote()).noteId, unknown: randomUUID(), deleted }
}

const notesOfCompanies = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { domain, noteId: deleted } = await ours.companyNote()
  await ours.ask("DELETE", `/v1/data/companies/${domain}/notes/${deleted}`)
  return { foreign: (await theirs.companyNote()).noteId, unknown: randomUUID(), deleted }
}

const membersOfOthers = async (_ours: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: (await theirs.member()).userId,
  unknown: randomUUID(),
})

const lists = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.list()
  await ours.ask("DELETE", `/v1/data/lists/${deleted}`)
  return { foreign: await theirs.list(), unknown: randomUUID(), deleted }
}

const webhooks = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.webhook()
  await ours.ask("DELETE", `/v1/data/webhooks/${deleted}`)
  return { foreign: await theirs.webhook(), unknown: randomUUID(), deleted }
}

/** Ids from another webhook of the same organization, so not found either. */
const webhookDeliveries = async (ours: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: (await theirs.webhookDelivery()).deliveryId,
  unknown: randomUUID(),
  deleted: (await ours.webhookDelivery()).deliveryId,
})

const topicLists = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.topicList()
  await ours.ask("DELETE", `/v1/intent/topic-lists/${deleted}`)
  return { foreign: await theirs.topicList(), unknown: randomUUID(), deleted }
}

const audiences = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.audience()
  await ours.ask("DELETE", `/v1/intent/audiences/${deleted}`)
  return { foreign: await theirs.audience(), unknown: randomUUID(), deleted }
}

const completedRuns = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  // Of another audience of the same organization, so not found either.
  const { runId: deleted } = await ours.completedRun()
  return { foreign: (await theirs.completedRun()).runId, unknown: randomUUID(), deleted }
}

const exports = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { exportId: deleted } = await ours.export()
  return { foreign: (await theirs.export()).exportId, unknown: randomUUID(), deleted }
}

const destinations = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { audienceId, destinationId: deleted } = await ours.destination()
  await ours.ask("DELETE", `/v1/intent/audiences/${audienceId}/destinations/${deleted}`)
  const { destinationId: foreign } = await theirs.destination()
  return { foreign, unknown: randomUUID(), deleted }
}

/** A delivery is only deleted with its audience. */
const deliveries = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { audienceId, deliveryId: deleted } = await ours.delivery()
  await ours.ask("DELETE", `/v1/intent/audiences/${audienceId}`)
  const { deliveryId: foreign } = await theirs.delivery()
  return { foreign, unknown: randomUUID(), deleted }
}

const failedContacts = async (_: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: (await theirs.failedContact()).hashedEmail,
  unknown: randomBytes(32).toString("hex"),
  deleted: randomBytes(32).toString("hex"),
})

const connectedAccounts = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.connectedAccount()
  await ours.ask("DELETE", `/v1/intent/integrations/accounts/${deleted}`)
  return { foreign: await theirs.connectedAccount(), unknown: randomUUID(), deleted }
}

const suppressionRules = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.suppressionRule()
  await ours.ask("DELETE", `/v1/data/suppression-rules/${deleted}`)
  return { foreign: await theirs.suppressionRule(), unknown: randomUUID(), deleted }
}

const suppressionSources = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.suppressionSource()
  await ours.ask("DELETE", `/v1/data/suppression-sources/${deleted}`)
  return { foreign: await theirs.suppressionSource(), unknown: randomUUID(), deleted }
}

const inboundSources = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { inboundId: deleted } = await ours.inbound()
  await ours.ask("DELETE", `/v1/data/inbound/${deleted}`)
  const { inboundId: foreign } = await theirs.inbound()
  return { foreign, unknown: randomUUID(), deleted }
}

const inboundRequests = async (_ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { requestId: foreign } = await theirs.inbound()
  return { foreign, unknown: randomUUID() }
}

const octopusAccounts = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.newOctopusAccount()
  await ours.ask("DELETE", `/v1/intent/integrations/accounts/${deleted}`)
  return { foreign: await theirs.octopusAccount(), unknown: randomUUID(), deleted }
}

const fileImports = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.suppressionImport()
  await ours.ask("DELETE", `/v1/data/import/suppression-rules/${deleted}`)
  return { foreign: await theirs.suppressionImport(), unknown: randomUUID(), deleted }
}

const ofSuppressionImport = async (ours: Tenant) => ({
  path: { kind: "suppression-rules", importId: await ours.suppressionImport() },
})

const members = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { userId: deleted } = await ours.member()
  const { organizationId } = ours.organization
  await ours.ask("DELETE", `/v1/organizations/${organizationId}/members/${deleted}`)
  return { foreign: (await theirs.member()).userId, unknown: randomUUID(), deleted }
}

/** Keys are never deleted: a revoked one is still listed. */
const apiKeys = async (_: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: await theirs.apiKey(),
  unknown: randomUUID(),
})

const writeKeys = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.writeKey()
  await ours.ask("DELETE", `/v1/data/pixels/${deleted.id}/write-keys/${deleted.keyId}`)
  const { keyId: foreign } = await theirs.writeKey()
  return { foreign, unknown: randomUUID(), deleted: deleted.keyId }
}

const sharedUserIds = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const deleted = await ours.sharedUserId()
  const path = `/v1/data/pixels/${deleted.id}/shared-user-ids/${deleted.sharedUserId}`
  await ours.ask("DELETE", path)
  const { sharedUserId: foreign } = await theirs.sharedUserId()
  return { foreign, unknown: randomUUID(), deleted: deleted.sharedUserId }
}

/** Organizations are never deleted. */
const organizations = async (_: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: theirs.organization.organizationId,
  unknown: randomUUID(),
})

/** The cursor of their first page. `fill` fills the list. */
const cursors =
  (
    page: (theirs: Tenant) => Promise<readonly [method: string, path: string, body?: unknown]>,
    fill: (theirs: Tenant) => Promise<unknown>,
  ) =>
  async (_: Tenant, theirs: Tenant): Promise<Absent> => {
    await fill(theirs)
    const { meta } = await theirs.ask(...(await page(theirs)))
    if (meta.nextCursor === null)
      throw new Error("The list of the other organization is too short.")
    return { foreign: meta.nextCursor }
  }

const times = async (count: number, make: () => Promise<unknown>): Promise<void> => {
  for (let place = 0; place < count; place++) await make()
}

const companyRule = { version: 1, rule: { field: "company.sessions", op: "gte", value: 1 } }
const ruleAst = { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } }
const none = () => ({})
const ofPixel = async (ours: Tenant): Promise<Parts> => ({ path: { id: (await ours.pixel()).id } })
const ofWriteKey = async (ours: Tenant): Promise<Parts> => ({ path: await ours.writeKey() })
const ofSharedUserId = async (ours: Tenant): Promise<Parts> => ({ path: await ours.sharedUserId() })
const ofReadablePixel = async (ours: Tenant): Promise<Parts> => {
  const { id, url } = await ours.readablePixel()
  return { path: { id }, body: { url } }
}
const ofVisitor = async (ours: Tenant): Promise<Parts> => ({
  path: { visitorId: (await ours.visitor()).visitorId },
})
const ofSegment = async (ours: Tenant): Promise<Parts> => ({
  path: { segmentId: await ours.segment() },
})
const ofList = async (ours: Tenant): Promise<Parts> => ({ path: { listId: await ours.list() } })
const ofWebhook = async (ours: Tenant): Promise<Parts> => ({ path: { id: await ours.webhook() } })
const ofWebhookDelivery = async (ours: Tenant): Promise<Parts> => ({
  path: await ours.webhookDelivery(),
})
const newWebhook = { name: "CRM", url: "https://hooks.example/", status: "inactive" }
const ofTopicList = async (ours: Tenant): Promise<Parts> => ({
  path: { id: await ours.topicList() },
})
const ofAudience = async (ours: Tenant): Promise<Parts> => ({
  path: { id: await ours.audience() },
})
const ofQueuedRun = async (ours: Tenant): Promise<Parts> => ({
  path: { ...(await ours.queuedRun()) },
})
const ofCompletedRun = async (ours: Tenant): Promise<Parts> => ({ path: await ours.completedRun() })
const ofAds = async (ours: Tenant): Promise<Parts> => ({
  ...(await ofCompletedRun(ours)),
  query: { format: "meta" },
})
const ofExport = async (ours: Tenant): Promise<Parts> => ({ path: await ours.export() })
const ofDestination = async (ours: Tenant): Promise<Parts> => ({ path: await ours.destination() })
const ofDelivery = async (ours: Tenant): Promise<Parts> => ({ path: await ours.delivery() })
const ofFailedContact = async (ours: Tenant): Promise<Parts> => ({
  path: await ours.failedContact(),
})
const ofDeliveryToApprove = async (ours: Tenant): Promise<Parts> => ({
  path: await ours.deliveryToApprove(),
})
const ofRepeatable = async (ours: Tenant): Promise<Parts> => ({ path: await ours.repeatable() })
const toDeliverTo = async (ours: Tenant): Promise<Parts> => ({ path: await ours.deliverable() })
const ofDestinations = async (ours: Tenant): Promise<Parts> => ({
  path: { audienceId: await ours.audience() },
})
const ofConnectedAccount = async (ours: Tenant): Promise<Parts> => ({
  path: { id: await ours.connectedAccount() },
})
const newDestination = async (ours: Tenant): Promise<Parts> => ({
  ...(await ofDestinations(ours)),
  body: {
    destinationType: "automation",
    name: "Newsletter",
    appSlug: "mailer",
    connectedAccountId: await ours.connectedAccount(),
    config: { listId: "buyers" },
  },
})
const ofOrganization = ({ organization }: Tenant): Parts => ({
  path: { id: organization.organizationId },
})
const ofMember = async (ours: Tenant): Promise<Parts> => ({
  path: { ...ofOrganization(ours).path, userId: (await ours.member()).userId },
})
const ofPending = async (ours: Tenant): Promise<Parts> => ({
  path: { ...ofOrganization(ours).path, userId: await ours.pendingMember() },
})
const withBody =
  (body: Parts["body"], good: Case["good"]) =>
  async (ours: Tenant): Promise<Parts> => ({ ...(await good(ours)), body: body! })
const ofCompany = async (ours: Tenant): Promise<Parts> => ({
  path: { domain: await ours.company() },
})
const ofVisitorNote = async (ours: Tenant): Promise<Parts> => ({ path: await ours.visitorNote() })
const ofCompanyNote = async (ours: Tenant): Promise<Parts> => ({ path: await ours.companyNote() })
const ofVisitorWithNote = async (ours: Tenant): Promise<Parts> => ({
  path: { visitorId: (await ours.visitorNote()).visitorId },
})
const ofCompanyWithNote = async (ours: Tenant): Promise<Parts> => ({
  path: { domain: (await ours.companyNote()).domain },
})
const ofSession = async (ours: Tenant): Promise<Parts> => ({ path: await ours.session() })
const ofScoredVisitor = async (ours: Tenant): Promise<Parts> => ({
  path: { visitorId: (await ours.scoredVisitor()).visitorId },
})
const scoredVisitors = async (ours: Tenant, theirs: Tenant): Promise<Absent> => {
  const { visitorId: deleted } = await ours.scoredVisitor()
  await ours.ask("DELETE", `/v1/data/visitors/${deleted}`)
  const { visitorId: foreign } = await theirs.scoredVisitor()
  return { foreign, unknown: randomBytes(32).toString("hex"), deleted }
}
const ofScoredCompany = async (ours: Tenant): Promise<Parts> => ({
  path: { domain: await ours.scoredCompany() },
})
const scoredCompanies = async (_ours: Tenant, theirs: Tenant): Promise<Absent> => ({
  foreign: await theirs.scoredCompany(),
  unknown: `${randomUUID()}.example`,
})
const ofCompanySession = async (ours: Tenant): Promise<Parts> => ({
  path: await ours.companySession(),
})
const credentialsOf = async (ours: Tenant) => ({ email: (await ours.member()).email, password })

const audienceOfSegment: Case = {
  good: async (ours) => ({ body: { segmentId: await ours.segment() } }),
  absent: (ours, theirs) => segments(ours, theirs),
  answer: "unknown_segment",
}

/** An alert by email to members. */
const recipients = (good: (ours: Tenant) => Promise<Parts> | Parts): Case => ({
  good: async (ours) => {
    const { body, ...parts } = await good(ours)
    return { ...parts, body: { ...body, format: "email", recipients: [ours.owner.userId] } }
  },
  absent: members,
  answer: "unknown_member",
})

const notFound = (good: Case["good"], absent: Case["absent"]): Case => ({
  good,
  absent,
  answer: "not_found",
})
const scope = (good: Case["good"], absent: Case["absent"]): Case => ({
  good,
  absent,
  answer: "scope",
})

export const cases: Readonly<Record<string, Case>> = {
  "visitors.list query:pixelId": notFound(none, pixels),
  "visitors.list query:email": notFound(
    async (ours) => ({ query: { email: (await ours.visitor()).email } }),
    emails,
  ),
  "visitors.list query:domain": { good: none, absent: domains, answer: "nothing" },
  "visitors.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data"],
      (theirs) => times(51, () => theirs.visitor()),
    ),
  ),
  "visitors.query body:segmentId": notFound(
    async (ours) => ({ body: { segmentId: await ours.segment() } }),
    (ours, theirs) => segments(ours, theirs),
  ),
  "visitors.query body:pixelId": notFound(() => ({ body: { ruleAst } }), pixels),
  "visitors.query body:cursor": scope(
    () => ({ body: { ruleAst, limit: 1 } }),
    cursors(
      async () => ["POST", "/v1/data/query", { ruleAst, limit: 1 }],
      (theirs) => times(2, () => theirs.visitor()),
    ),
  ),
  "companies.list query:pixelId": notFound(none, pixels),
  "companies.list query:domain": { good: none, absent: domains, answer: "nothing" },
  "companies.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data/companies?limit=1"],
      (theirs) => times(2, () => theirs.company()),
    ),
  ),
  "companies.query body:segmentId": notFound(
    async (ours) => ({ body: { segmentId: await ours.segment("Buyers", "companies") } }),
    (ours, theirs) => segments(ours, theirs, "companies"),
  ),
  "companies.query body:pixelId": notFound(() => ({ body: { ruleAst: companyRule } }), pixels),
  "companies.query body:cursor": scope(
    () => ({ body: { ruleAst: companyRule, limit: 1 } }),
    cursors(
      async () => ["POST", "/v1/data/companies/query", { ruleAst: companyRule, limit: 1 }],
      (theirs) => times(2, () => theirs.company()),
    ),
  ),
  "overview.get query:pixelId": notFound(none, pixels),
  "overview.get query:domain": { good: none, absent: domains, answer: "nothing" },
  "overview.breakdown query:pixelId": notFound(() => ({ query: { by: "page" } }), pixels),
  "overview.breakdown query:domain": {
    good: () => ({ query: { by: "page" } }),
    absent: domains,
    answer: "nothing",
  },
  "companies.activity path:domain": notFound(ofCompany, companies),
  "companies.activity query:pixelId": notFound(ofCompany, pixels),
  "companies.get path:domain": notFound(ofCompany, companies),
  "companies.get query:pixelId": notFound(ofCompany, pixels),
  "sessions.list path:visitorId": notFound(ofVisitor, visitors),
  "sessions.list query:pixelId": notFound(ofVisitor, pixels),
  "sessions.list query:cursor": scope(
    ofVisitor,
    cursors(
      async (theirs) => {
        const { visitorId } = await theirs.visitor(2)
        return ["GET", `/v1/data/visitors/${visitorId}/sessions?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "visitorSessions.events path:visitorId": notFound(ofSession, visitors),
  "visitorSessions.events path:sessionId": notFound(ofSession, sessionsOfVisitors),
  "visitorSessions.events query:cursor": scope(
    ofSession,
    cursors(
      async (theirs) => {
        const { sessionId, visitorId } = await theirs.session()
        return ["GET", `/v1/data/visitors/${visitorId}/sessions/${sessionId}/events?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "visitorScore.get path:visitorId": notFound(ofScoredVisitor, scoredVisitors),
  "companyScore.get path:domain": notFound(ofScoredCompany, scoredCompanies),
  "visitorTopics.get path:visitorId": notFound(ofScoredVisitor, scoredVisitors),
  "companyTopics.get path:domain": notFound(ofCompany, companies),
  "visitors.list query:ownerId": { good: none, absent: membersOfOthers, answer: "nothing" },
  "companies.list query:ownerId": { good: none, absent: membersOfOthers, answer: "nothing" },
  "visitorMarks.update path:visitorId": notFound(withBody({ tags: ["x"] }, ofVisitor), visitors),
  "visitorMarks.update body:ownerId": {
    good: withBody({ tags: ["x"] }, ofVisitor),
    absent: membersOfOthers,
    answer: "unknown_member",
  },
  "companyMarks.update path:domain": notFound(withBody({ tags: ["x"] }, ofCompany), companies),
  "companyMarks.update body:ownerId": {
    good: withBody({ tags: ["x"] }, ofCompany),
    absent: membersOfOthers,
    answer: "unknown_member",
  },
  "visitorNotes.list path:visitorId": notFound(ofVisitorWithNote, visitors),
  "visitorNotes.list query:cursor": scope(
    ofVisitorWithNote,
    cursors(
      async (theirs) => {
        const { visitorId } = await theirs.visitorNote()
        await theirs.ask("POST", `/v1/data/visitors/${visitorId}/notes`, { text: "x" })
        return ["GET", `/v1/data/visitors/${visitorId}/notes?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "visitorNotes.create path:visitorId": notFound(withBody({ text: "x" }, ofVisitor), visitors),
  "visitorNotes.update path:visitorId": notFound(withBody({ text: "x" }, ofVisitorNote), visitors),
  "visitorNotes.update path:noteId": notFound(
    withBody({ text: "x" }, ofVisitorNote),
    notesOfVisitors,
  ),
  "visitorNotes.delete path:visitorId": notFound(ofVisitorNote, visitors),
  "visitorNotes.delete path:noteId": notFound(ofVisitorNote, notesOfVisitors),
  "companyNotes.list path:domain": notFound(ofCompanyWithNote, companies),
  "companyNotes.list query:cursor": scope(
    ofCompanyWithNote,
    cursors(
      async (theirs) => {
        const { domain } = await theirs.companyNote()
        await theirs.ask("POST", `/v1/data/companies/${domain}/notes`, { text: "x" })
        return ["GET", `/v1/data/companies/${domain}/notes?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "companyNotes.create path:domain": notFound(withBody({ text: "x" }, ofCompany), companies),
  "companyNotes.update path:domain": notFound(withBody({ text: "x" }, ofCompanyNote), companies),
  "companyNotes.update path:noteId": notFound(
    withBody({ text: "x" }, ofCompanyNote),
    notesOfCompanies,
  ),
  "companyNotes.delete path:domain": notFound(ofCompanyNote, companies),
  "companyNotes.delete path:noteId": notFound(ofCompanyNote, notesOfCompanies),
  "companySessions.events path:domain": notFound(ofCompanySession, companies),
  "companySessions.events path:sessionId": notFound(ofCompanySession, sessionsOfCompanies),
  "companySessions.events query:cursor": scope(
    ofCompanySession,
    cursors(
      async (theirs) => {
        const { domain, sessionId } = await theirs.companySession()
        return ["GET", `/v1/data/companies/${domain}/sessions/${sessionId}/events?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "segments.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data/segments?limit=1"],
      (theirs) => times(2, () => theirs.segment()),
    ),
  ),
  "lists.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data/lists?limit=1"],
      (theirs) => times(2, () => theirs.list()),
    ),
  ),
  "lists.get path:listId": notFound(ofList, lists),
  "lists.update path:listId": notFound(withBody({ name: "x" }, ofList), lists),
  "lists.delete path:listId": notFound(ofList, lists),
  "lists.members path:listId": notFound(ofList, lists),
  "lists.members query:cursor": scope(
    ofList,
    cursors(
      async (theirs) => ["GET", `/v1/data/lists/${await theirs.list()}/members?limit=1`],
      async () => undefined,
    ),
  ),
  "lists.addMembers path:listId": notFound(withBody({ values: ["c.example"] }, ofList), lists),
  "lists.replaceMembers path:listId": notFound(withBody({ values: ["c.example"] }, ofList), lists),
  "lists.removeMembers path:listId": notFound(withBody({ values: ["a.example"] }, ofList), lists),
  "audienceFilters.validate body:segmentId": audienceOfSegment,
  "audiencePreviews.preview body:segmentId": audienceOfSegment,
  "webhooks.create body:segmentId": notFound(
    () => ({ body: newWebhook }),
    (ours, theirs) => segments(ours, theirs),
  ),
  "webhooks.create body:listId": notFound(
    () => ({ body: { ...newWebhook, trigger: "page_viewed" } }),
    lists,
  ),
  "webhooks.create body:pixelId": notFound(() => ({ body: newWebhook }), pixels),
  "webhooks.preview body:segmentId": notFound(
    () => ({ body: {} }),
    (ours, theirs) => segments(ours, theirs),
  ),
  "webhooks.preview body:listId": notFound(() => ({ body: { trigger: "page_viewed" } }), lists),
  "webhooks.preview body:pixelId": notFound(() => ({ body: {} }), pixels),
  "webhooks.create body:recipients": recipients(() => ({
    body: { name: "Sales", status: "inactive" },
  })),
  "webhooks.preview body:recipients": recipients(() => ({ body: {} })),
  "webhooks.update body:recipients": recipients(ofWebhook),
  "webhooks.get path:id": notFound(ofWebhook, webhooks),
  "webhooks.update path:id": notFound(withBody({ name: "x" }, ofWebhook), webhooks),
  "webhooks.update body:segmentId": notFound(withBody({ name: "x" }, ofWebhook), (ours, theirs) =>
    segments(ours, theirs),
  ),
  "webhooks.update body:listId": notFound(withBody({ trigger: "page_viewed" }, ofWebhook), lists),
  "webhooks.update body:pixelId": notFound(withBody({ name: "x" }, ofWebhook), pixels),
  "webhooks.delete path:id": notFound(ofWebhook, webhooks),
  "webhooks.rotateSecret path:id": notFound(withBody({}, ofWebhook), webhooks),
  "webhooks.test path:id": notFound(withBody({}, ofWebhook), webhooks),
  "webhooks.deliveries path:id": notFound(ofWebhook, webhooks),
  "webhooks.deliveries query:cursor": scope(
    ofWebhook,
    cursors(
      async (theirs) => {
        const { id } = await theirs.webhookDelivery()
        await theirs.repeatDelivery(id)
        return ["GET", `/v1/data/webhooks/${id}/deliveries?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "webhooks.delivery path:id": notFound(ofWebhookDelivery, webhooks),
  "webhooks.delivery path:deliveryId": notFound(ofWebhookDelivery, webhookDeliveries),
  "webhooks.redeliver path:id": notFound(withBody({}, ofWebhookDelivery), webhooks),
  "webhooks.redeliver path:deliveryId": notFound(
    withBody({}, ofWebhookDelivery),
    webhookDeliveries,
  ),
  "segments.get path:segmentId": notFound(ofSegment, (ours, theirs) => segments(ours, theirs)),
  "segments.update path:segmentId": notFound(withBody({ name: "x" }, ofSegment), (ours, theirs) =>
    segments(ours, theirs),
  ),
  "segments.delete path:segmentId": notFound(ofSegment, (ours, theirs) => segments(ours, theirs)),
  "segments.preview body:pixelId": notFound(() => ({ body: { ruleAst } }), pixels),
  "pixels.get path:id": notFound(ofPixel, pixels),
  "pixels.update path:id": notFound(withBody({ name: "x" }, ofPixel), pixels),
  "pixels.delete path:id": notFound(ofPixel, pixels),
  "pixels.verify path:id": notFound(ofPixel, pixels),
  "sharedUserIds.list path:id": notFound(ofSharedUserId, pixels),
  "sharedUserIds.release path:id": notFound(ofSharedUserId, pixels),
  "sharedUserIds.release path:sharedUserId": notFound(ofSharedUserId, sharedUserIds),
  "writeKeys.list path:id": notFound(ofWriteKey, pixels),
  "writeKeys.create path:id": notFound(withBody({ name: "x" }, ofPixel), pixels),
  "writeKeys.revoke path:id": notFound(withBody({}, ofWriteKey), pixels),
  "writeKeys.revoke path:keyId": notFound(withBody({}, ofWriteKey), writeKeys),
  "pixelTopics.suggest path:id": notFound(ofReadablePixel, pixels),
  "suppression.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data/suppression-rules?limit=1"],
      (theirs) => times(2, () => theirs.suppressionRule()),
    ),
  ),
  "suppression.remove body:ids": {
    good: async (ours) => ({ body: { ids: [await ours.suppressionRule()] } }),
    absent: suppressionRules,
    answer: "nothing",
  },
  "suppression.removeOne path:ruleId": notFound(
    async (ours) => ({ path: { ruleId: await ours.suppressionRule() } }),
    suppressionRules,
  ),
  ...Object.fromEntries(
    ["get", "delete", "sync", "update"].map((call) => [
      `suppressionSources.${call} path:sourceId`,
      notFound(
        async (ours) => ({
          path: { sourceId: await ours.suppressionSource() },
          ...(call === "update" ? { body: { name: "CRM" } } : {}),
        }),
        suppressionSources,
      ),
    ]),
  ),
  ...Object.fromEntries(
    ["get", "delete", "history", "rotate", "update"].map((call) => [
      `inbound.${call} path:inboundId`,
      notFound(async (ours) => {
        const { inboundId } = await ours.inbound()
        const body = call === "update" ? { name: "x" } : call === "rotate" ? {} : undefined
        return { path: { inboundId }, ...(body === undefined ? {} : { body }) }
      }, inboundSources),
    ]),
  ),
  "inbound.runAgain path:inboundId": notFound(
    async (ours) => ({ path: await ours.inbound() }),
    inboundSources,
  ),
  "inbound.runAgain path:requestId": notFound(
    async (ours) => ({ path: await ours.inbound() }),
    inboundRequests,
  ),
  "inbound.create body:pixelId": notFound(
    async (ours) => ({ body: { name: "x", preset: "rb2b", pixelId: (await ours.pixel()).id } }),
    pixels,
  ),
  "inbound.update body:pixelId": notFound(
    async (ours) => ({
      path: { inboundId: (await ours.inbound()).inboundId },
      body: { pixelId: (await ours.pixel()).id },
    }),
    pixels,
  ),
  "suppressionSources.approve path:sourceId": notFound(
    async (ours) => ({ path: { sourceId: await ours.sourceToApprove() } }),
    suppressionSources,
  ),
  "suppressionSources.create body:connectedAccountId": notFound(
    async (ours) => ({
      body: {
        name: "CRM",
        kind: "emailoctopus",
        listId: "1",
        connectedAccountId: await ours.octopusAccount(),
      },
    }),
    octopusAccounts,
  ),
  "suppressionSources.update body:connectedAccountId": notFound(
    async (ours) => ({
      path: { sourceId: await ours.octopusSource() },
      body: { connectedAccountId: await ours.octopusAccount() },
    }),
    octopusAccounts,
  ),
  "suppressionSources.create body:listId": notFound(
    async (ours) => ({ body: { name: "CRM", kind: "list", listId: await ours.list() } }),
    lists,
  ),
  "fileImports.list query:cursor": scope(
    () => ({ path: { kind: "suppression-rules" } }),
    cursors(
      async () => ["GET", "/v1/data/import/suppression-rules?limit=1"],
      (theirs) => times(2, () => theirs.appliedImport()),
    ),
  ),
  "fileImports.plan query:importId": notFound(
    async (ours) => ({
      path: { kind: "suppression-rules" },
      query: { importId: await ours.suppressionImport() },
      file: "domain\nacme.example",
    }),
    fileImports,
  ),
  "fileImports.plan query:list": notFound(
    async (ours) => ({
      path: { kind: "lists" },
      query: { list: await ours.list() },
      file: "domain\nacme.example",
    }),
    lists,
  ),
  "fileImports.apply body:importId": notFound(
    async (ours) => ({
      path: { kind: "suppression-rules" },
      body: { importId: await ours.suppressionImport() },
    }),
    fileImports,
  ),
  "fileImports.undo path:importId": notFound(
    async (ours) => ({
      path: { kind: "suppression-rules", importId: await ours.appliedImport() },
    }),
    async (ours, theirs) => ({
      foreign: await theirs.appliedImport(),
      unknown: randomUUID(),
      deleted: await ours.suppressionImport(),
    }),
  ),
  "suppression.list query:originId": {
    good: async (ours) => ({ query: { originId: await ours.appliedImport() } }),
    absent: async (_ours, theirs) => ({
      foreign: await theirs.appliedImport(),
      unknown: randomUUID(),
    }),
    answer: "nothing",
  },
  "fileImports.rejected path:importId": notFound(ofSuppressionImport, fileImports),
  "fileImports.drop path:importId": notFound(ofSuppressionImport, fileImports),
  "suppression.ofVisitor path:visitorId": notFound(ofVisitor, visitors),
  "origins.get path:visitorId": notFound(ofVisitor, visitors),
  "erasure.erase path:visitorId": notFound(ofVisitor, visitors),
  "auth.login body:organizationId": {
    good: async (ours) => ({ body: await credentialsOf(ours) }),
    absent: organizations,
    answer: "unauthorized",
  },
  "auth.startSession body:organizationId": {
    good: async (ours) => ({ body: await credentialsOf(ours) }),
    absent: organizations,
    answer: "unauthorized",
  },
  "auth.refresh body:organizationId": {
    good: async (ours) => {
      const body = await credentialsOf(ours)
      const { data } = await ours.ask<{ refreshToken: string }>("POST", "/v1/auth/login", body)
      return { body: { refreshToken: data.refreshToken } }
    },
    absent: organizations,
    answer: "unauthorized",
  },
  "organizations.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/organizations?limit=1"],
      (theirs) =>
        theirs.ask("POST", "/v1/organizations", {
          name: "Second",
          slug: `second-${randomUUID().slice(0, 8)}`,
        }),
    ),
  ),
  "organizations.get path:id": notFound(ofOrganization, organizations),
  "organizations.update path:id": notFound(withBody({ name: "x" }, ofOrganization), organizations),
  "organizations.listMembers path:id": notFound(ofOrganization, organizations),
  "organizations.listMembers query:cursor": scope(
    ofOrganization,
    cursors(
      async ({ organization }) => [
        "GET",
        `/v1/organizations/${organization.organizationId}/members?limit=1`,
      ],
      (theirs) => theirs.member(),
    ),
  ),
  "organizations.addMember path:id": notFound(
    (ours) => ({
      ...ofOrganization(ours),
      body: { email: `${randomUUID()}@acme.example`, role: "viewer" },
    }),
    organizations,
  ),
  "organizations.inviteMember path:id": notFound(ofPending, organizations),
  "organizations.inviteMember path:userId": notFound(ofPending, members),
  "organizations.updateMember path:id": notFound(
    withBody({ role: "viewer" }, ofMember),
    organizations,
  ),
  "organizations.updateMember path:userId": notFound(
    withBody({ role: "viewer" }, ofMember),
    members,
  ),
  "organizations.removeMember path:id": notFound(ofMember, organizations),
  "organizations.removeMember path:userId": notFound(ofMember, members),
  "siteTopics.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/intent/site-topics?limit=1"],
      (theirs) => times(2, () => theirs.siteAnalysis()),
    ),
  ),
  "topicLists.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/intent/topic-lists?limit=1"],
      (theirs) => times(2, () => theirs.topicList()),
    ),
  ),
  "topicLists.get path:id": notFound(ofTopicList, topicLists),
  "topicLists.update path:id": notFound(withBody({ name: "x" }, ofTopicList), topicLists),
  "topicLists.delete path:id": notFound(ofTopicList, topicLists),
  "audiences.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/intent/audiences?limit=1"],
      (theirs) => times(2, () => theirs.audience()),
    ),
  ),
  "audiences.get path:id": notFound(ofAudience, audiences),
  "audiences.update path:id": notFound(withBody({ name: "x" }, ofAudience), audiences),
  "audiences.delete path:id": notFound(ofAudience, audiences),
  "runs.start path:id": notFound(
    async (ours) => ({ path: { id: await ours.activeAudience() } }),
    audiences,
  ),
  "runs.list path:id": notFound(ofCompletedRun, audiences),
  "runs.list query:cursor": scope(
    ofAudience,
    cursors(
      async (theirs) => {
        const { id, runId } = await theirs.queuedRun()
        await theirs.ask("DELETE", `/v1/intent/audiences/${id}/runs/${runId}`)
        await theirs.queuedRun(id)
        return ["GET", `/v1/intent/audiences/${id}/runs?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "runs.get path:id": notFound(ofCompletedRun, audiences),
  "runs.get path:runId": notFound(ofCompletedRun, completedRuns),
  "runs.cancel path:id": notFound(ofQueuedRun, audiences),
  "runs.cancel path:runId": notFound(ofQueuedRun, completedRuns),
  "runs.results path:id": notFound(ofCompletedRun, audiences),
  "runs.results path:runId": notFound(ofCompletedRun, completedRuns),
  "runs.results query:cursor": scope(
    ofCompletedRun,
    cursors(
      async (theirs) => {
        const { id, runId } = await theirs.completedRun(2)
        return ["GET", `/v1/intent/audiences/${id}/runs/${runId}/results?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "runs.stats path:id": notFound(ofCompletedRun, audiences),
  "runs.stats path:runId": notFound(ofCompletedRun, completedRuns),
  "exports.csv path:id": notFound(ofCompletedRun, audiences),
  "exports.csv path:runId": notFound(ofCompletedRun, completedRuns),
  "exports.parquet path:id": notFound(ofCompletedRun, audiences),
  "exports.parquet path:runId": notFound(ofCompletedRun, completedRuns),
  "exports.ads path:id": notFound(ofAds, audiences),
  "exports.ads path:runId": notFound(ofAds, completedRuns),
  "exports.create path:id": notFound(ofCompletedRun, audiences),
  "exports.create path:runId": notFound(ofCompletedRun, completedRuns),
  "exports.list path:id": notFound(ofExport, audiences),
  "exports.list path:runId": notFound(ofExport, completedRuns),
  "exports.list query:cursor": scope(
    ofCompletedRun,
    cursors(
      async (theirs) => {
        const { exportId, id, runId } = await theirs.export()
        await theirs.endExport(exportId)
        const path = `/v1/intent/audiences/${id}/runs/${runId}/exports`
        await theirs.ask("POST", path)
        return ["GET", `${path}?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "exports.get path:id": notFound(ofExport, audiences),
  "exports.get path:runId": notFound(ofExport, completedRuns),
  "exports.get path:exportId": notFound(ofExport, exports),
  "destinations.create path:audienceId": notFound(newDestination, audiences),
  "destinations.create body:connectedAccountId": notFound(newDestination, connectedAccounts),
  "destinations.preview path:audienceId": notFound(ofDestination, audiences),
  "destinations.list path:audienceId": notFound(ofDestination, audiences),
  "destinations.get path:audienceId": notFound(ofDestination, audiences),
  "destinations.get path:destinationId": notFound(ofDestination, destinations),
  "destinations.update path:audienceId": notFound(
    withBody({ name: "x" }, ofDestination),
    audiences,
  ),
  "destinations.update path:destinationId": notFound(
    withBody({ name: "x" }, ofDestination),
    destinations,
  ),
  "destinations.delete path:audienceId": notFound(ofDestination, audiences),
  "destinations.delete path:destinationId": notFound(ofDestination, destinations),
  "destinations.test path:audienceId": notFound(ofDestination, audiences),
  "destinations.test path:destinationId": notFound(ofDestination, destinations),
  "destinationSecrets.rotate path:audienceId": notFound(ofDestination, audiences),
  "destinationSecrets.rotate path:destinationId": notFound(ofDestination, destinations),
  "deliveries.sync path:audienceId": notFound(toDeliverTo, audiences),
  "deliveries.sync path:destinationId": notFound(toDeliverTo, destinations),
  "deliveries.list path:audienceId": notFound(ofDelivery, audiences),
  "deliveries.list query:destinationId": {
    good: ofDestinations,
    absent: destinations,
    answer: "nothing",
  },
  "deliveries.list query:cursor": scope(
    ofDestinations,
    cursors(
      async (theirs) => {
        const { audienceId, destinationId } = await theirs.destination()
        await theirs.deliveryTo(audienceId, destinationId, { status: "completed" })
        await theirs.deliveryTo(audienceId, destinationId)
        return ["GET", `/v1/intent/audiences/${audienceId}/deliveries?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "deliveries.get path:audienceId": notFound(ofDelivery, audiences),
  "deliveries.get path:deliveryId": notFound(ofDelivery, deliveries),
  "deliveries.contacts path:audienceId": notFound(ofDelivery, audiences),
  "deliveries.contacts path:deliveryId": notFound(ofDelivery, deliveries),
  "deliveries.contacts query:cursor": scope(
    ofDelivery,
    cursors(
      async (theirs) => {
        const { audienceId, destinationId } = await theirs.destination()
        const failed = { status: "failed", failures: 2 }
        const deliveryId = await theirs.deliveryTo(audienceId, destinationId, failed)
        const path = `/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/contacts`
        return ["GET", `${path}?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "deliveries.failures path:audienceId": notFound(ofDelivery, audiences),
  "deliveries.failures path:deliveryId": notFound(ofDelivery, deliveries),
  "deliveries.failures query:cursor": scope(
    ofDelivery,
    cursors(
      async (theirs) => {
        const { audienceId, destinationId } = await theirs.destination()
        const failed = { status: "failed", failures: 2 }
        const deliveryId = await theirs.deliveryTo(audienceId, destinationId, failed)
        const path = `/v1/intent/audiences/${audienceId}/deliveries/${deliveryId}/failures`
        return ["GET", `${path}?limit=1`]
      },
      async () => undefined,
    ),
  ),
  "deliveries.failure path:audienceId": notFound(ofFailedContact, audiences),
  "deliveries.failure path:deliveryId": notFound(ofFailedContact, deliveries),
  "deliveries.failure path:hashedEmail": notFound(ofFailedContact, failedContacts),
  "deliveries.retryFailure path:audienceId": notFound(ofFailedContact, audiences),
  "deliveries.retryFailure path:deliveryId": notFound(ofFailedContact, deliveries),
  "deliveries.retryFailure path:hashedEmail": notFound(ofFailedContact, failedContacts),
  "deliveries.retry path:audienceId": notFound(ofRepeatable, audiences),
  "deliveries.retry path:deliveryId": notFound(ofRepeatable, deliveries),
  "deliveries.approve path:audienceId": notFound(ofDeliveryToApprove, audiences),
  "deliveries.approve path:deliveryId": notFound(ofDeliveryToApprove, deliveries),
  "deliveries.cancel path:audienceId": notFound(ofDelivery, audiences),
  "deliveries.cancel path:deliveryId": notFound(ofDelivery, deliveries),
  "integrations.lists query:connectedAccountId": notFound(
    async (ours) => ({
      path: { appSlug: "mailer" },
      query: { connectedAccountId: await ours.connectedAccount() },
    }),
    connectedAccounts,
  ),
  "integrations.readableLists query:connectedAccountId": notFound(
    async (ours) => ({
      path: { appSlug: "mailer" },
      query: { connectedAccountId: await ours.connectedAccount() },
    }),
    connectedAccounts,
  ),
  "integrations.check path:id": notFound(ofConnectedAccount, connectedAccounts),
  "integrations.certify path:id": notFound(
    async (ours) => ({ path: { id: await ours.octopusAccount() } }),
    connectedAccounts,
  ),
  "integrations.disconnect path:id": notFound(ofConnectedAccount, connectedAccounts),
  "archives.get path:visitorId": notFound(
    async (ours) => ({ path: { visitorId: (await ours.visitor()).visitorId } }),
    visitors,
  ),
  "erasures.get path:erasureId": notFound(
    async (ours) => ({ path: { erasureId: await ours.erasure() } }),
    async (_ours, theirs) => ({ foreign: await theirs.erasure(), unknown: randomUUID() }),
  ),
  "erasures.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/data/erasures?limit=1"],
      (theirs) => times(2, () => theirs.erasure()),
    ),
  ),
  "apiKeys.create body:pixelIds": notFound(
    async (ours) => ({ body: { name: "Site", pixelIds: [(await ours.pixel()).id] } }),
    pixels,
  ),
  "apiKeys.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/api-keys?limit=1"],
      (theirs) => times(2, () => theirs.apiKey()),
    ),
  ),
  "auditLog.list query:cursor": scope(
    none,
    cursors(
      async () => ["GET", "/v1/audit-log?limit=1"],
      (theirs) => times(2, () => theirs.apiKey()),
    ),
  ),
  "apiKeys.revoke path:id": notFound(
    async (ours) => ({ path: { id: await ours.apiKey() } }),
    apiKeys,
  ),
}

/** Parameters with such a name that do not identify an object of an organization, and why. */
export const noObjects: Readonly<Record<string, string>> = {
  "pixels.create body:domain": "each organization may have a pixel for it: tenants.test.ts",
  "auth.login body:email": "users are not an organization's",
  "auth.startSession body:email": "users are not an organization's",
  "auth.endOne path:sessionId":
    "sessions are a user's, not an organization's: access/sessions.test.ts",
  "passwords.requestReset body:email": "users are not an organization's",
  "auth.refreshSession body:organizationId": "access/console-session.test.ts: it takes a cookie",
  "organizations.addMember body:email": "users are not an organization's",
  "topics.list query:cursor": "the catalog is everyone's",
  "topicTrends.trend path:topicId": "the catalog is everyone's",
  "topicTrends.compare body:topicIds": "the catalog is everyone's",
  "topicLists.create body:topicIds": "the catalog is everyone's",
  "topicLists.update body:topicIds": "the catalog is everyone's",
  "audiences.create body:segmentId": "inside config, checked as in a preview",
  "audiences.update body:segmentId": "inside config, checked as in a preview",
  "audiences.create body:topicIds": "the catalog is everyone's",
  "audiences.update body:topicIds": "the catalog is everyone's",
  "audienceFilters.validate body:topicIds": "the catalog is everyone's",
  "audiencePreviews.preview body:topicIds": "the catalog is everyone's",
  "exportDownloads.download path:exportId": "the signature is of one export: exports.test.ts",
  "integrations.certify body:domain": "the domain of contacts that are invented",
  "integrations.certify body:listId": "lists are the provider's, not an organization's",
  "destinations.create body:listId": "lists are the provider's, not an organization's",
  "destinations.update body:listId": "lists are the provider's, not an organization's",
  "suppressionSources.update body:listId": "lists are the provider's: that of a list never changes",
  "linkTokens.create body:email": "a token is made for any address, known or not",
}
