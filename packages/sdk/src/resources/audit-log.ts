// The audit log: who changed what in the organization. spec 5.13

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

  /** Lists the entries, newest first. Errors: BadRequestError, PermissionError. */
  list(
    params: AuditLogParams = {},
    options: RequestOptions = {},
  ): PagedList<AuditEntry, AuditLogMeta> {
    return this.#transport.list<AuditEntry, AuditLogMeta>("/v1/audit-log", params, {
      credentials: "accessToken",
      options,
    })
  }
}

/** Which entries to list. */
export interface AuditLogParams {
  /** Entries per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** `meta.nextCursor` of a previous page. */
  readonly cursor?: string | undefined
  /** A user id or API key id, `operator` or `system`. */
  readonly actor?: string | undefined
  /** An action, such as `pixel.created`, or a resource, such as `pixel`. */
  readonly action?: string | undefined
  /** ISO 8601: entries from this time on. */
  readonly from?: string | undefined
  /** ISO 8601: entries before this time. */
  readonly to?: string | undefined
}

/** `meta` of one page of the audit log. It has no total. */
export interface AuditLogMeta extends ResponseMeta {
  readonly limit: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** One change. It contains ids, never values. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly actor: AuditActor
  /** The resource and the action, such as `member.added`. More may be added within /v1. */
  readonly action: string
  /** Id of the changed object; null if it is the organization itself. */
  readonly targetId: string | null
  /** Null if no request caused the change. */
  readonly requestId: string | null
}

/** `operator`: a server command. `system`: the server itself. */
export interface AuditActor {
  readonly type: "api_key" | "user" | "operator" | "system"
  readonly id: string | null
  /** A member's email address or an API key's name; null if that user or key no longer exists. */
  readonly name: string | null
}
