// An organization and what its status allows (spec 2.21, 4.6).
import { Schema } from "effect"
import { organizationStatuses } from "./choices.ts"

export const OrganizationStatus = Schema.Literals(organizationStatuses)
export type OrganizationStatus = typeof OrganizationStatus.Type

export class Organization extends Schema.Opaque<Organization>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    slug: Schema.String,
    status: OrganizationStatus,
    /** Its days, and what goes by them, are days of this zone. */ // spec 1.5.10
    timeZone: Schema.String,
    excludedIps: Schema.Array(Schema.String),
    retentionDays: Schema.NullOr(Schema.Int),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate,
    /** `createdAt` as the database prints it, in microseconds. */
    createdText: Schema.String,
  }),
) {}

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
