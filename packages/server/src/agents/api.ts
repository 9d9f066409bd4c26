// The route of the Model Context Protocol. It passes the checks of every other route but is in no OpenAPI document,
// because its messages are defined by the protocol.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { eitherGroup } from "../access/groups.ts"
import { RateLimited } from "../http/rate-limit.ts"

export class AgentsApi extends HttpApiGroup.make("agents")
  .add(HttpApiEndpoint.post("message", "/mcp", { payload: Schema.Json, success: Schema.Json }))
  // spec 10.2. The requests a tool makes also count against their own limits.
  .annotate(RateLimited, { name: "mcp", limit: 120 })
  .pipe(eitherGroup) {}

/** At `/mcp`, a GET would open a stream and a DELETE would end a session; there are neither. */
export const agentRoutes = [
  { method: "POST", path: "/mcp" },
  { method: "GET", path: "/llms.txt" },
] as const
