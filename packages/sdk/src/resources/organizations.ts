// Organizations. Each has its own pixels, visitors and keys. spec 2.21 and 5.13
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta } from "../extensions/common.ts"

/** `footfall.organizations`. Needs an access token. */
export class Organizations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the organizations the signed-in user belongs to, newest first. Errors: BadRequestError
   * (`INVALID_CURSOR`), PermissionError.
   */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Organization, ListMeta> {
    return this.#transport.list("/v1/organizations", params, {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Creates an organization. The signed-in user becomes its owner. Errors: BadRequestError, PermissionError,
   * ConflictError (the slug is already in use).
   */
  create(params: OrganizationCreateParams, options: CreateOptions = {}): ApiCall<Organization> {
    return this.#transport.create("/v1/organizations", {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Returns the organization's name, status and settings. Errors: PermissionError, NotFoundError (the id is not that
   * of the token's organization).
   */
  get(organizationId: string, options: RequestOptions = {}): ApiCall<Organization> {
    return this.#transport.get(path`/v1/organizations/${organizationId}`, {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Updates the name, time zone or settings. What you leave out stays the same. Errors: BadRequestError,
   * PermissionError, NotFoundError.
   */
  update(
    organizationId: string,
    params: OrganizationUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Organization> {
    return this.#transport.patch(path`/v1/organizations/${organizationId}`, {
      body: params,
      credentials: "accessToken",
      options,
    })
  }
}

/** An organization, as its members see it. */
export interface Organization {
  /** Id of the organization. */
  readonly id: string
  /** Name of the organization, 1 to 160 characters. */
  readonly name: string
  /** Short name of the organization, 3 to 63 characters: `a-z`, `0-9` and hyphen. Unique on the server. */
  readonly slug: string
  /** `suspended` or `expired`: most requests return 403. */
  readonly status: OrganizationStatus
  /** IANA time zone whose days the organization counts in, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** What the organization has set. */
  readonly settings: OrganizationSettings
  /** When the organization was created. */
  readonly createdAt: string
  /** When the organization was last changed. */
  readonly updatedAt: string
}

/** A new organization. The user who creates it becomes its owner. */
export interface OrganizationCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** Unique short name: 3 to 63 characters of `a-z`, `0-9` and hyphen. */
  readonly slug: string
}

/** Fields to change. Omitted fields keep their values. */
export interface OrganizationUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** IANA time zone whose days the organization counts in, such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined
  /** Settings you leave out stay the same. */
  readonly settings?:
    | {
        /** Networks whose visits are not recorded, such as `203.0.113.0/24`. At most 200. */
        readonly excludedIps?: ReadonlyArray<string> | undefined
        /** Days to keep sessions and events, 30 to 3650. Null keeps them forever. */
        readonly retentionDays?: number | null | undefined
      }
    | undefined
}

/** The operator sets it. The server rejects nearly every call of a suspended or expired organization. */
export type OrganizationStatus = "active" | "trial" | "suspended" | "expired"

/** What an organization has set. */
export interface OrganizationSettings {
  /** Networks whose visits are not recorded, in CIDR notation. At most 200. */
  readonly excludedIps: ReadonlyArray<string>
  /** Days to keep sessions and events, 30 to 3650; null keeps them forever. */
  readonly retentionDays: number | null
}
