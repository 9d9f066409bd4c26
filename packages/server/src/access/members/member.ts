// A user as a member of one organization (spec 2.21).
import { Schema } from "effect"
import { Role } from "../role.ts"

export class Member extends Schema.Opaque<Member>()(
  Schema.Struct({
    userId: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
    role: Role,
    createdAt: Schema.DateTimeUtcFromString,
  }).annotate({ identifier: "Member" }),
) {}
