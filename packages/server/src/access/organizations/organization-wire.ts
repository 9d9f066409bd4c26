// An organization as the API shows it, and which of its fields can be set (spec 2.21).
import { Schema } from "effect"
import { parseNetwork } from "../../platform/http/client-address.ts"
import { described } from "../../platform/http/fields.ts"
import { type Organization, OrganizationStatus } from "../organization.ts"
import { MemberStatus } from "../members/store.ts"
import { Role } from "../role.ts"

// spec 2.21
export const excludedIpsMax = 200

export class OrganizationWire extends Schema.Opaque<OrganizationWire>()(
  Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    slug: Schema.String,
    status: OrganizationStatus,
    timeZone: Schema.String,
    settings: Schema.Struct({
      excludedIps: Schema.Array(Schema.String),
      /** How many days sessions and events are kept; null means forever. */ // spec 1.8
      retentionDays: Schema.NullOr(Schema.Int),
    }).annotate({ identifier: "OrganizationSettings" }),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Organization" }),
) {}

const isNetwork = (text: string): boolean => {
  try {
    parseNetwork(text)
    return true
  } catch {
    return false
  }
}

const Network = Schema.Trim.check(
  Schema.makeFilter(isNetwork, { expected: "a network such as 203.0.113.0/24" }),
)

export const OrganizationSettingsPatch = Schema.Struct({
  excludedIps: described(
    `Networks whose visits are not recorded, such as \`203.0.113.0/24\`. At most ${excludedIpsMax}.`,
    Schema.optionalKey(Schema.Array(Network).check(Schema.isMaxLength(excludedIpsMax))),
  ),
  retentionDays: described(
    "Days to keep sessions and events, 30 to 3650. Null keeps them forever.",
    Schema.optionalKey(
      Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 3650 }))),
    ),
  ),
})

export const organizationOf = ({
  createdText: _,
  excludedIps,
  retentionDays,
  ...organization
}: Organization): OrganizationWire => ({
  ...organization,
  settings: { excludedIps, retentionDays },
})

// A user as a member of one organization (spec 2.21).
export class Member extends Schema.Opaque<Member>()(
  Schema.Struct({
    userId: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
    role: Role,
    status: MemberStatus,
    createdAt: Schema.String,
  }).annotate({ identifier: "Member" }),
) {}
