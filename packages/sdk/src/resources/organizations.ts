// Organizations. Each has its own pixels, visitors and keys. spec 2.21 and 5.13

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta, ListPosition } from "./common.ts"

/** `footfall.organizations`. Needs an access token. */
export class Organizations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the user's organizations, newest first. */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<Organization, ListMeta> {
    return this.#transport.list<Organization, ListMeta>("/v1/organizations", params, {
      credentials: "accessToken",
      options,
    })
  }

  /** Creates an organization with the user as its owner. Errors: ConflictError (the slug is already in use). */
  create(params: OrganizationCreateParams, options: CreateOptions = {}): ApiCall<Organization> {
    return this.#transport.create("/v1/organizations", {
      body: params,
      credentials: "accessToken",
      options,
    })
  }

  /** Gets the token's organization. Any other id throws a NotFoundError. */
  get(organizationId: string, options: RequestOptions = {}): ApiCall<Organization> {
    return this.#transport.get(path`/v1/organizations/${organizationId}`, {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Updates the name, time zone or settings of the token's organization. Needs the role admin or owner. Errors: PermissionError,
   * NotFoundError.
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
  readonly id: string
  /** 1 to 160 characters. */
  readonly name: string
  /** 3 to 63 characters: `a-z`, `0-9` and hyphen. Unique on the server. */
  readonly slug: string
  readonly status: OrganizationStatus
  /** IANA time zone whose days the organization counts in, such as `Europe/Berlin`. */
  readonly timeZone: string
  readonly settings: OrganizationSettings
  readonly createdAt: string
  readonly updatedAt: string
}

/** The operator sets it. The server rejects nearly every call of a suspended or expired organization. */
export type OrganizationStatus = "active" | "trial" | "suspended" | "expired"

export interface OrganizationSettings {
  /** Networks whose visits are not recorded, in CIDR notation. At most 200. */
  readonly excludedIps: ReadonlyArray<string>
  /** Days to keep sessions and events, 30 to 3650; null keeps them forever. */
  readonly retentionDays: number | null
}

/** A new organization. The user who creates it becomes its owner. */
export interface OrganizationCreateParams {
  readonly name: string
  readonly slug: string
}

/** Fields to change. Omitted fields keep their values. */
export interface OrganizationUpdateParams {
  readonly name?: string | undefined
  /** IANA time zone, such as `Europe/Berlin`. */
  readonly timeZone?: string | undefined
  readonly settings?:
    | { readonly [Key in keyof OrganizationSettings]?: OrganizationSettings[Key] | undefined }
    | undefined
}
