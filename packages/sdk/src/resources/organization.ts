// An organization: whose pixels, visitors and keys they are. Source: spec 2.21 and 5.13.

/** An organization as its members see it. */
export interface Organization {
  readonly id: string
  /** 1 to 160 characters. */
  readonly name: string
  /** 3 to 63 of `a-z`, `0-9` and hyphen; one of a kind on the server. */
  readonly slug: string
  readonly status: OrganizationStatus
  readonly settings: OrganizationSettings
  readonly createdAt: string
  readonly updatedAt: string
}

/** Set by the operator; suspended and expired ones are refused nearly everything. */
export type OrganizationStatus = "active" | "trial" | "suspended" | "expired"

export interface OrganizationSettings {
  /** Networks whose visits are not recorded, as CIDR, at most 200. */
  readonly excludedIps: ReadonlyArray<string>
  /** Days sessions and events are kept, 30 to 3650; null for good. */
  readonly retentionDays: number | null
}

/** A new organization; who makes it becomes its owner. */
export interface OrganizationCreateParams {
  readonly name: string
  readonly slug: string
}

/** What changes; what is left out stays. */
export interface OrganizationUpdateParams {
  readonly name?: string | undefined
  readonly settings?:
    | { readonly [Key in keyof OrganizationSettings]?: OrganizationSettings[Key] | undefined }
    | undefined
}
