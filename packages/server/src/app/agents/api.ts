// The route for the Model Context Protocol. It passes the same checks as every other route but is in no OpenAPI
// document, because the protocol defines its messages.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { OfSites, ScopesRequired } from "../../access/key-rights.ts"
import { eitherGroup } from "../../access/groups.ts"
import { RateLimited } from "../../platform/http/rate-limit.ts"

/** Counts every call of a message. The requests a tool makes also count against their own limits. */ // spec 10.2
export const messagesLimit = { name: "mcp", limit: 120 }

export class AgentsApi extends HttpApiGroup.make("agents")
  .annotate(ScopesRequired, { read: null, write: null })
  .annotate(OfSites, "organization")
  .add(HttpApiEndpoint.post("message", "/mcp", { payload: Schema.Json, success: Schema.Json }))
  .annotate(RateLimited, messagesLimit)
  .pipe(eitherGroup) {}

/** A GET of `/mcp` would open a stream and a DELETE would end a session; this server has neither. */
export const agentRoutes = [
  { method: "POST", path: "/mcp" },
  { method: "GET", path: "/llms.txt" },
] as const
