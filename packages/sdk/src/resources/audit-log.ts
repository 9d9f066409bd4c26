// The audit log: who changed what in the organization. spec 5.13
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { PagedList } from "../core/paged-list.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ResponseMeta } from "../extensions/common.ts"

/** `footfall.auditLog`. Needs the access token of an admin or owner. */
export class AuditLog {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns who changed what in the organization, newest first. Entries contain ids, never values. Errors:
   * BadRequestError (`INVALID_CURSOR`), PermissionError.
   */
  list(
    params: AuditLogParams = {},
    options: RequestOptions = {},
  ): PagedList<AuditEntry, AuditLogMeta> {
    return this.#transport.list("/v1/audit-log", params, { credentials: "accessToken", options })
  }
}

/** Which entries to list. */
export interface AuditLogParams {
  /** Page size, 1 to 100. */
  readonly limit?: number | undefined
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Only what this user or API key did: an id, or `operator` or `system`. */
  readonly actor?: string | undefined
  /** Only this action, such as `pixel.created`, or those of a resource, such as `pixel`. */
  readonly action?: string | undefined
  /** Only entries from this time on, such as `2026-03-11T09:00:00Z`. */
  readonly from?: string | undefined
  /** Only entries before this time. */
  readonly to?: string | undefined
}

/** One change. It contains ids, never values. */
export interface AuditEntry {
  /** Id of the audit entry. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** Who did it. */
  readonly actor: AuditActor
  /** The resource and the action, such as `member.added`. More may be added within /v1. */
  readonly action: string
  /** Id of the changed object; null if it is the organization itself. */
  readonly targetId: string | null
  /** Id of the request that caused the change; null if none did. */
  readonly requestId: string | null
}

/** `meta` of one page of the audit log. It has no total. */
export interface AuditLogMeta extends ResponseMeta {
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** `operator`: a server command. `system`: the server itself. */
export interface AuditActor {
  /** Who it was: an API key, a user, the operator, or the server itself. */
  readonly type: "api_key" | "user" | "operator" | "system"
  /** Id of the user or key; null for the operator and the server. */
  readonly id: string | null
  /**
   * A member's email address or an API key's name; null for the operator and the server, and if that user or key no
   * longer exists.
   */
  readonly name: string | null
}
