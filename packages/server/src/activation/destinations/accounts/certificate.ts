// The check of a service with an account of the owner's own, as a request and its result (spec 5.11.8).
import { Schema } from "effect"
import { described, requestText } from "../../../platform/http/fields.ts"

/** In the order in which they are made. */
export const checkNames = ["write", "repeat", "refusal", "removal", "return", "erasure"] as const
export type CheckName = (typeof checkNames)[number]

export class Certificate extends Schema.Opaque<Certificate>()(
  Schema.Struct({
    listId: Schema.String,
    isListCreated: Schema.Boolean,
    hasPassed: Schema.Boolean,
    checks: Schema.Array(
      Schema.Struct({
        name: Schema.Literals(checkNames),
        status: Schema.Literals(["passed", "failed", "skipped"]),
        message: Schema.String,
      }),
    ),
  }).annotate({ identifier: "Certificate" }),
) {}

/** Body of the request. */
export class AccountCheck extends Schema.Opaque<AccountCheck>()(
  Schema.Struct({
    listId: described(
      "An empty list of the account, which is kept. Default: a list that is made for the check and deleted at its end.",
      Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 255 })),
    ),
    domain: described(
      "Domain of the invented contacts. Default: `example.com`, which no one can have. Some services refuse it.",
      Schema.optionalKey(
        requestText({ lengthMin: 1, lengthMax: 253 }).check(
          Schema.isPattern(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
            expected: "a domain in lower case, such as example.com",
          }),
        ),
      ),
    ),
  }).annotate({ identifier: "AccountCheck" }),
) {}
