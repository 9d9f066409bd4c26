// The authenticated caller: an API key or a user, and their organization. Every store takes its organization from here.
import { Context, type Option } from "effect"
import type { KeyRights } from "./key-rights.ts"
import type { OrganizationStatus } from "./organization.ts"
import type { Role } from "./role.ts"

export interface Caller {
  readonly organizationId: string
  readonly organizationStatus: OrganizationStatus
  /** Whether the organization may use audiences. */
  readonly isIntentEnabled: boolean
  /** API keys have the rights of a member. */ // spec 7
  readonly role: Role
  readonly actor: { readonly type: "api_key" | "user"; readonly id: string }
  /** Set for an API key: what it is limited to. */
  readonly key?: KeyRights | undefined
  /** Set for a session's access token. */
  readonly sessionId?: string | undefined
}

export const Caller = Context.Service<Caller>("@footfall/server/access/Caller")

/** The caller of a request that needs no credentials; None if it sent none. */
export class MaybeCaller extends Context.Service<MaybeCaller, Option.Option<Caller>>()(
  "@footfall/server/access/MaybeCaller",
) {}

/** The sites that the caller may see; undefined for all of the organization. */
export const sitesOfCaller = ({ key }: Caller): ReadonlyArray<string> | undefined =>
  key?.pixelIds ?? undefined

/** The caller's user; null for an API key. */
export const userIdOf = ({ actor }: Caller): string | null =>
  actor.type === "user" ? actor.id : null
