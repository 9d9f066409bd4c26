// Who makes a request: an API key or a user, and for which organization. Every store takes its
// organization from here.
import { Context, type Option } from "effect"
import type { OrganizationStatus } from "./organization.ts"
import type { Role } from "./role.ts"

export interface Caller {
  readonly organizationId: string
  readonly organizationStatus: OrganizationStatus
  /** The organization has audiences at all. */
  readonly isIntentEnabled: boolean
  /** A key has the rights of a member. */ // spec 7
  readonly role: Role
  readonly actor: { readonly type: "api_key" | "user"; readonly id: string }
  /** Of the access token of a session. */
  readonly sessionId?: string | undefined
}

export const Caller = Context.Service<Caller>("@footfall/server/access/Caller")

/** Who makes a request that needs no credentials: none when it has none. */
export class MaybeCaller extends Context.Service<MaybeCaller, Option.Option<Caller>>()(
  "@footfall/server/access/MaybeCaller",
) {}

/** The user of a caller; null for an API key. */
export const userIdOf = ({ actor }: Caller): string | null =>
  actor.type === "user" ? actor.id : null
