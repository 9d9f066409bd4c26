// A user: one person with an address, a member of any number of organizations (spec 2.21).
import { Schema } from "effect"

export class User extends Schema.Opaque<User>()(
  Schema.Struct({
    id: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "User" }),
) {}
