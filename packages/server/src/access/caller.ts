// Who makes a request, as far as the Data API knows: an API key of an organization. Every store
// takes its organization from here (architecture.md, Scale rules 1).
import { Context } from "effect"
import type { OrganizationStatus } from "./organization.ts"

export interface Caller {
  readonly organizationId: string
  readonly organizationStatus: OrganizationStatus
  readonly apiKeyId: string
}

export const Caller = Context.Service<Caller>("@footfall/server/access/Caller")
