// An organization and what its status permits (spec 2.21, 4.6).
import { Schema } from "effect"

export const OrganizationStatus = Schema.Literals(["active", "trial", "suspended", "expired"])
export type OrganizationStatus = typeof OrganizationStatus.Type

export class Organization extends Schema.Opaque<Organization>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    slug: Schema.String,
    status: OrganizationStatus,
    excludedIps: Schema.Array(Schema.String),
    retentionDays: Schema.NullOr(Schema.Int),
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate,
    /** `createdAt` as the database writes it, to the microsecond. */
    createdText: Schema.String,
  }),
) {}

/** Records of this organization, which does not exist, are shared by all. */
export const sharedOrganizationId = "00000000-0000-0000-0000-000000000000"

/** A suspended or expired organization is refused everywhere but at its account. */ // spec 5.3
export const mayUse = (status: OrganizationStatus): boolean =>
  status === "active" || status === "trial"

/** Whether an operator may put an organization from one status into another one. */ // spec 4.6
export const mayBecome = (from: OrganizationStatus, to: OrganizationStatus): boolean =>
  mayUse(from) || to === "active"

/** A slug from a name: 3 to 63 of `a-z`, `0-9` and hyphen; a short one is filled up. */ // spec 2.21
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
