// A user: one person with an address, a member of any number of organizations (spec 2.21).
import { normalizeEmail } from "@footfall/normal-form"
import { Schema } from "effect"

export class User extends Schema.Opaque<User>()(
  Schema.Struct({
    id: Schema.String,
    email: Schema.String,
    name: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "User" }),
) {}

/** The specification names no bound: that of a mail path (RFC 5321, 4.5.3.1.3). Units: characters. */
export const userEmailLengthMax = 254

/** The normalized address of a user, or undefined if the text is not an address. */
export const userEmail = (text: string): string | undefined =>
  normalizeEmail(text, userEmailLengthMax)
