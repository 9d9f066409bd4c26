// For every operation the method of the SDK and the command of the CLI that are for it: the one table of both. The
// SDK's methods are generated from it, and an operation without a line here is a type error.

export interface Client {
  /** Below `footfall`. */
  readonly sdk: string
  /** Left out where there is no command, and where `footfall api` is the way. */
  readonly cli?: string
  /** The one member of the body or the query that the method takes, without a name. */
  readonly alone?: string
  /** The parameters of the path are one object. */
  readonly named?: true
  /** The method leaves the body out. */
  readonly sendsNothing?: true
  /** A POST that only reads, or has the same effect when repeated: the SDK repeats it after a failure. */
  readonly repeatable?: true
}

export const clients = {
  // Visitors
  "visitors.list": { sdk: "visitors.list", cli: "visitors list" },
  "visitors.query": { sdk: "visitors.query", repeatable: true, cli: "visitors query" },
  "sessions.list": { sdk: "visitors.sessions", cli: "visitors sessions" },
  "visitorSessions.events": { sdk: "visitors.sessions.events", cli: "visitors session" },
  "origins.get": { sdk: "visitors.origins", cli: "visitors origins" },
  "erasures.list": { sdk: "erasures.list", cli: "erasures list" },
  "erasures.get": { sdk: "erasures.get", cli: "erasures get" },
  "archives.get": { sdk: "visitors.archive", cli: "visitors archive" },
  "erasure.erase": { sdk: "visitors.erase", cli: "visitors erase" },
  // Companies
  "companies.list": { sdk: "companies.list", cli: "companies list" },
  "companies.query": { sdk: "companies.query", repeatable: true, cli: "companies query" },
  "companies.get": { sdk: "companies.get", cli: "companies get" },
  "companySessions.events": { sdk: "companies.sessions.events", cli: "companies session" },
  "companies.activity": { sdk: "companies.activity", cli: "companies activity" },
  "overview.get": { sdk: "overview.get", cli: "overview" },
  "overview.breakdown": { sdk: "overview.breakdown", cli: "breakdown" },
  // Segments
  "segments.list": { sdk: "segments.list", cli: "segments list" },
  "segments.create": { sdk: "segments.create", cli: "segments create" },
  "segments.get": { sdk: "segments.get", cli: "segments get" },
  "segments.update": { sdk: "segments.update", cli: "segments update" },
  "segments.delete": { sdk: "segments.delete", cli: "segments delete" },
  "segments.preview": { sdk: "segments.preview", repeatable: true, cli: "segments preview" },
  // Lists
  "lists.list": { sdk: "lists.list", cli: "lists list" },
  "lists.create": { sdk: "lists.create", cli: "lists create" },
  "lists.get": { sdk: "lists.get", cli: "lists get" },
  "lists.update": { sdk: "lists.update", cli: "lists rename" },
  "lists.delete": { sdk: "lists.delete", cli: "lists delete" },
  "lists.members": { sdk: "lists.members", cli: "lists values" },
  "lists.addMembers": { sdk: "lists.addMembers", repeatable: true, cli: "lists add" },
  "lists.replaceMembers": { sdk: "lists.replaceMembers", repeatable: true, cli: "lists replace" },
  "lists.removeMembers": { sdk: "lists.removeMembers", repeatable: true, cli: "lists remove" },
  // Score
  "score.get": { sdk: "score.get", cli: "score show" },
  "score.put": { sdk: "score.put", cli: "score set" },
  "visitorScore.get": { sdk: "visitors.score", cli: "visitors score" },
  "companyScore.get": { sdk: "companies.score", cli: "companies score" },
  "visitorMarks.update": { sdk: "visitors.update", cli: "visitors tag" },
  "companyMarks.update": { sdk: "companies.update", cli: "companies tag" },
  "tags.list": { sdk: "tags.list", cli: "tags" },
  "visitorNotes.list": { sdk: "visitors.notes.list", cli: "visitors notes" },
  "visitorNotes.create": { sdk: "visitors.notes.create", alone: "text", cli: "visitors notes" },
  "visitorNotes.update": { sdk: "visitors.notes.update", alone: "text", cli: "visitors notes" },
  "visitorNotes.delete": { sdk: "visitors.notes.delete", cli: "visitors notes" },
  "companyNotes.list": { sdk: "companies.notes.list", cli: "companies notes" },
  "companyNotes.create": { sdk: "companies.notes.create", alone: "text", cli: "companies notes" },
  "companyNotes.update": { sdk: "companies.notes.update", alone: "text", cli: "companies notes" },
  "companyNotes.delete": { sdk: "companies.notes.delete", cli: "companies notes" },
  "visitorTopics.get": { sdk: "visitors.topics", cli: "visitors topics" },
  "companyTopics.get": { sdk: "companies.topics", cli: "companies topics" },
  // Pixels
  "pixels.list": { sdk: "pixels.list", cli: "pixels list" },
  "pixels.create": { sdk: "pixels.create", cli: "pixels create" },
  "pixels.get": { sdk: "pixels.get", cli: "pixels get" },
  "pixels.update": { sdk: "pixels.update", cli: "pixels update" },
  "pixels.delete": { sdk: "pixels.delete", cli: "pixels delete" },
  "pixels.verify": { sdk: "pixels.verify", repeatable: true, cli: "pixels verify" },
  "writeKeys.list": { sdk: "pixels.writeKeys.list", cli: "pixels write-keys list" },
  "writeKeys.create": { sdk: "pixels.writeKeys.create", cli: "pixels write-keys create" },
  "writeKeys.revoke": { sdk: "pixels.writeKeys.revoke", cli: "pixels write-keys delete" },
  "sharedUserIds.list": { sdk: "pixels.sharedUserIds.list", cli: "pixels shared-user-ids list" },
  "sharedUserIds.release": {
    sdk: "pixels.sharedUserIds.release",
    cli: "pixels shared-user-ids release",
  },
  "pixelTopics.suggest": {
    sdk: "pixels.suggestTopics",
    repeatable: true,
    cli: "pixels suggest-topics",
  },
  // Suppression rules
  "suppression.industries": { sdk: "suppression.industries", cli: "suppression industries" },
  "suppression.list": { sdk: "suppression.list", cli: "suppression list" },
  "suppression.add": {
    sdk: "suppression.add",
    repeatable: true,
    alone: "rules",
    cli: "suppression add",
  },
  "suppression.replace": { sdk: "suppression.replace", cli: "suppression apply" },
  "suppression.remove": { sdk: "suppression.remove", cli: "suppression remove" },
  "suppression.removeOne": { sdk: "suppression.removeOne", cli: "suppression remove" },
  "suppression.preview": { sdk: "suppression.preview", repeatable: true, alone: "rules" },
  "suppressionSources.list": {
    sdk: "suppressionSources.list",
    cli: "suppression sources list",
  },
  "suppressionSources.create": {
    sdk: "suppressionSources.create",
    cli: "suppression sources create",
  },
  "suppressionSources.get": { sdk: "suppressionSources.get", cli: "suppression sources get" },
  "suppressionSources.update": {
    sdk: "suppressionSources.update",
    cli: "suppression sources update",
  },
  "suppressionSources.delete": {
    sdk: "suppressionSources.delete",
    cli: "suppression sources delete",
  },
  "suppressionSources.sync": { sdk: "suppressionSources.sync", cli: "suppression sources sync" },
  "suppressionSources.approve": {
    sdk: "suppressionSources.approve",
    cli: "suppression sources approve",
  },
  // Inbound sources
  "inbound.list": { sdk: "inbound.list", cli: "inbound list" },
  "inbound.create": { sdk: "inbound.create", cli: "inbound create" },
  "inbound.test": { sdk: "inbound.test", repeatable: true, cli: "inbound test" },
  "inbound.get": { sdk: "inbound.get", cli: "inbound get" },
  "inbound.update": { sdk: "inbound.update" },
  "inbound.delete": { sdk: "inbound.delete", cli: "inbound delete" },
  "inbound.rotate": { sdk: "inbound.rotate", cli: "inbound rotate" },
  "inbound.history": { sdk: "inbound.history", cli: "inbound history" },
  "inbound.runAgain": { sdk: "inbound.runAgain" },
  "fileImports.plan": { sdk: "fileImports.plan", cli: "suppression import" },
  "fileImports.apply": { sdk: "fileImports.apply", cli: "suppression apply" },
  "fileImports.rejected": { sdk: "fileImports.rejected" },
  "fileImports.drop": { sdk: "fileImports.drop" },
  "fileImports.list": { sdk: "fileImports.list", cli: "suppression imports list" },
  "fileImports.undo": { sdk: "fileImports.undo", cli: "suppression imports undo" },
  "suppression.ofVisitor": { sdk: "suppression.ofVisitor", cli: "suppression why" },
  // Visitor webhooks
  "webhooks.list": { sdk: "webhooks.list", cli: "webhooks list" },
  "webhooks.create": { sdk: "webhooks.create", cli: "webhooks create" },
  "webhooks.preview": { sdk: "webhooks.preview", repeatable: true, cli: "webhooks preview" },
  "webhooks.get": { sdk: "webhooks.get", cli: "webhooks get" },
  "webhooks.update": { sdk: "webhooks.update", cli: "webhooks update" },
  "webhooks.delete": { sdk: "webhooks.delete", cli: "webhooks delete" },
  "webhooks.rotateSecret": { sdk: "webhooks.rotateSecret", cli: "webhooks rotate-secret" },
  "webhooks.test": { sdk: "webhooks.test", cli: "webhooks test" },
  "webhooks.deliveries": { sdk: "webhooks.deliveries", cli: "webhooks deliveries" },
  "webhooks.delivery": { sdk: "webhooks.delivery", cli: "webhooks delivery" },
  "webhooks.redeliver": { sdk: "webhooks.redeliver", cli: "webhooks redeliver" },
  // Account
  "account.status": { sdk: "account.get", cli: "account" },
  // Sign-in
  "auth.logout": { sdk: "auth.logout", cli: "logout" },
  "auth.me": { sdk: "auth.me", cli: "whoami" },
  "auth.join": { sdk: "auth.join", cli: "accept-invitation" },
  "auth.login": { sdk: "auth.login", cli: "login" },
  "auth.refresh": { sdk: "auth.refresh" },
  "auth.startSession": { sdk: "auth.startSession" },
  "auth.endSession": { sdk: "auth.endSession" },
  "auth.refreshSession": { sdk: "auth.refreshSession" },
  "auth.sessions": { sdk: "auth.listSessions", cli: "sign-ins list" },
  "auth.endOne": { sdk: "auth.deleteSession", cli: "sign-ins delete" },
  "auth.endOthers": { sdk: "auth.endOtherSessions", cli: "sign-ins end-others" },
  "auth.invitation": { sdk: "auth.invitation", cli: "accept-invitation" },
  "auth.acceptInvite": { sdk: "auth.acceptInvite", cli: "accept-invitation" },
  "deviceLogins.get": { sdk: "auth.getDeviceLogin" },
  "deviceLogins.start": { sdk: "auth.startDeviceLogin" },
  "deviceLogins.approve": { sdk: "auth.decideDeviceLogin" },
  "deviceLogins.token": { sdk: "auth.deviceTokens" },
  "passwords.change": { sdk: "auth.changePassword" },
  "passwords.requestReset": { sdk: "auth.requestPasswordReset" },
  "passwords.reset": { sdk: "auth.resetPassword" },
  // Organizations
  "organizations.list": { sdk: "organizations.list", cli: "organizations list" },
  "organizations.create": { sdk: "organizations.create", cli: "organizations create" },
  "organizations.get": { sdk: "organizations.get", cli: "organizations get" },
  "organizations.update": { sdk: "organizations.update", cli: "organizations update" },
  "organizations.listMembers": { sdk: "members.list", cli: "members list" },
  "organizations.addMember": { sdk: "members.add", cli: "members create" },
  "organizations.inviteMember": { sdk: "members.invite", named: true, cli: "members invite" },
  "organizations.updateMember": { sdk: "members.update", named: true, cli: "members update" },
  "organizations.removeMember": { sdk: "members.remove", named: true, cli: "members delete" },
  "auditLog.list": { sdk: "auditLog.list" },
  // API keys
  "apiKeys.list": { sdk: "apiKeys.list", cli: "keys list" },
  "apiKeys.create": { sdk: "apiKeys.create", cli: "keys create" },
  "apiKeys.revoke": { sdk: "apiKeys.revoke", cli: "keys delete" },
  // Imports
  "imports.run": { sdk: "imports.run", cli: "import" },
  // Link tokens
  "linkTokens.create": { sdk: "linkTokens.create", cli: "link-tokens create" },
  // Topics
  "topics.list": { sdk: "topics.list", cli: "topics list" },
  "topics.facets": { sdk: "topics.facets", cli: "topics facets" },
  "topics.search": { sdk: "topics.search", cli: "topics search" },
  "topicTrends.trend": { sdk: "topics.trend", cli: "topics trend" },
  "topicTrends.compare": {
    sdk: "topics.compare",
    repeatable: true,
    alone: "topicIds",
    cli: "topics compare",
  },
  "topicTrends.movers": { sdk: "topics.movers", cli: "topics movers" },
  // Topic lists
  "topicLists.list": { sdk: "topicLists.list", cli: "topic-lists list" },
  "topicLists.create": { sdk: "topicLists.create", cli: "topic-lists create" },
  "topicLists.get": { sdk: "topicLists.get", cli: "topic-lists get" },
  "topicLists.update": { sdk: "topicLists.update", cli: "topic-lists update" },
  "topicLists.delete": { sdk: "topicLists.delete", cli: "topic-lists delete" },
  // Audiences
  "audiences.list": { sdk: "audiences.list", cli: "audiences list" },
  "audiences.create": { sdk: "audiences.create", cli: "audiences create" },
  "audiences.get": { sdk: "audiences.get", cli: "audiences get" },
  "audiences.update": { sdk: "audiences.update", cli: "audiences update" },
  "audiences.delete": { sdk: "audiences.delete", cli: "audiences delete" },
  "audienceFilters.filters": { sdk: "audiences.filters", cli: "audiences filters" },
  "audienceFilters.validate": {
    sdk: "audiences.validate",
    repeatable: true,
    cli: "audiences validate",
  },
  "audiencePreviews.preview": {
    sdk: "audiences.preview",
    repeatable: true,
    cli: "audiences preview",
  },
  // Runs
  "runs.start": { sdk: "runs.start", sendsNothing: true, cli: "runs start" },
  "runs.list": { sdk: "runs.list", cli: "runs list" },
  "runs.get": { sdk: "runs.get", cli: "runs get" },
  "runs.cancel": { sdk: "runs.cancel", cli: "runs cancel" },
  "runs.results": { sdk: "runs.results", cli: "runs results" },
  "runs.stats": { sdk: "runs.stats", cli: "runs stats" },
  // Destinations
  "destinations.create": { sdk: "destinations.create", cli: "destinations create" },
  "destinations.list": { sdk: "destinations.list", cli: "destinations list" },
  "destinations.get": { sdk: "destinations.get", cli: "destinations get" },
  "destinations.update": { sdk: "destinations.update", cli: "destinations update" },
  "destinations.delete": { sdk: "destinations.delete", cli: "destinations delete" },
  "destinations.preview": { sdk: "destinations.preview", cli: "destinations preview" },
  "destinations.test": { sdk: "destinations.test", cli: "destinations test" },
  "destinationSecrets.rotate": {
    sdk: "destinations.rotateSecret",
    cli: "destinations rotate-secret",
  },
  // Connected accounts
  "integrations.list": { sdk: "integrations.list", cli: "integrations apps" },
  "integrations.lists": {
    sdk: "integrations.mailingLists",
    alone: "connectedAccountId",
    cli: "integrations lists",
  },
  "integrations.readableLists": {
    sdk: "integrations.readableLists",
    alone: "connectedAccountId",
    cli: "integrations lists",
  },
  "integrations.accounts": { sdk: "integrations.accounts", cli: "integrations accounts list" },
  "integrations.connect": { sdk: "integrations.connect", cli: "integrations accounts create" },
  "integrations.check": { sdk: "integrations.check", cli: "integrations accounts check" },
  "integrations.certify": { sdk: "integrations.certify", cli: "destinations certify" },
  "integrations.disconnect": {
    sdk: "integrations.disconnect",
    cli: "integrations accounts delete",
  },
  // Deliveries
  "deliveries.sync": { sdk: "deliveries.sync", cli: "sync" },
  "deliveries.list": { sdk: "deliveries.list", cli: "deliveries list" },
  "deliveries.get": { sdk: "deliveries.get", cli: "deliveries get" },
  "deliveries.contacts": { sdk: "deliveries.contacts", cli: "deliveries contacts" },
  "deliveries.failures": { sdk: "deliveries.failures", cli: "deliveries failures" },
  "deliveries.failure": { sdk: "deliveries.failure", cli: "deliveries failure" },
  "deliveries.retryFailure": { sdk: "deliveries.retryFailure", cli: "deliveries retry" },
  "deliveries.retry": { sdk: "deliveries.retry", cli: "deliveries retry" },
  "deliveries.approve": { sdk: "deliveries.approve", cli: "deliveries approve" },
  "deliveries.cancel": { sdk: "deliveries.cancel", cli: "deliveries cancel" },
  // Site analysis
  "siteAnalysis.analyze": { sdk: "topics.analyze", cli: "topics analyze" },
  "siteTopics.list": { sdk: "siteTopics.list", cli: "topics analyses" },
  // Exports
  "exports.csv": { sdk: "runs.exportCsv", cli: "runs export" },
  "exports.parquet": { sdk: "runs.exportParquet", cli: "runs export" },
  "exports.ads": { sdk: "runs.exportForAds", cli: "runs export" },
  "exports.create": { sdk: "exports.create", cli: "exports create" },
  "exports.list": { sdk: "exports.list", cli: "exports list" },
  "exports.get": { sdk: "exports.get", cli: "exports get" },
  "exportDownloads.download": { sdk: "exports.toFile", cli: "exports get" },
} as const satisfies Readonly<Record<string, Client>>

export type OperationId = keyof typeof clients

export const clientOf = (operationId: string): Client => {
  const client = new Map<string, Client>(Object.entries(clients)).get(operationId)
  if (client === undefined) throw new Error(`clients.ts has no line for ${operationId}.`)
  return client
}
