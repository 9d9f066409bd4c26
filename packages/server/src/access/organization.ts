// An organization and what its status allows (spec 2.21, 4.6).
import { Schema } from "effect"
import { organizationStatuses } from "./choices.ts"

export const OrganizationStatus = Schema.Literals(organizationStatuses)
export type OrganizationStatus = typeof OrganizationStatus.Type

export interface Organization {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly status: OrganizationStatus
  /** Its days, and what goes by them, are days of this zone. */ // spec 1.5.10
  readonly timeZone: string
  readonly excludedIps: ReadonlyArray<string>
  readonly retentionDays: number | null
  /** ISO 8601, as in responses. */
  readonly createdAt: string
  readonly updatedAt: string
  /** `createdAt` in microseconds: the sort key. */
  readonly createdText: string
}

/** Records with this organization, which does not exist, are shared by all. */
export const sharedOrganizationId = "00000000-0000-0000-0000-000000000000"

/** A suspended or expired organization may only use its account endpoint. */ // spec 5.3
export const mayUse = (status: OrganizationStatus): boolean =>
  status === "active" || status === "trial"

/** Whether an operator may change an organization's status this way. */ // spec 4.6
export const mayBecome = (from: OrganizationStatus, to: OrganizationStatus): boolean =>
  mayUse(from) || to === "active"

/** Derives a slug from a name: 3 to 63 of `a-z`, `0-9` and hyphen; a short one is padded. */ // spec 2.21
export const slugOf = (name: string): string => {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 63)
    .replace(/^-|-$/g, "")
  return slug.length >= 3 ? slug : `org-${slug || "new"}`
}
