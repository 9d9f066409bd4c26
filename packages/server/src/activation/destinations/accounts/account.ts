// An account at a mailing list provider that an organization has connected (spec 2.17, 4.5, 5.11). No response contains
// its credentials.
import { Schema } from "effect"
import { described, requestText } from "../../../platform/http/fields.ts"
import type { MailerError } from "../mailer/mailer-error.ts"

// spec 10.3
export const accountsPerOrganizationMax = 50

export const accountStatuses = ["healthy", "unhealthy", "disconnected"] as const
export const AccountStatus = Schema.Literals(accountStatuses)
export type AccountStatus = typeof AccountStatus.Type

/** The application's display name, by slug. */
export const appNames = { mailer: "Mailer" } as const
export const AppSlug = Schema.Literals(["mailer"])

export class ConnectedAccount extends Schema.Opaque<ConnectedAccount>()(
  Schema.Struct({
    id: Schema.String,
    automationAccountId: Schema.String,
    appSlug: AppSlug,
    appName: Schema.String,
    accountName: Schema.NullOr(Schema.String),
    status: AccountStatus,
    /** Time of the last probe. */
    lastSyncedAt: Schema.String,
  }).annotate({ identifier: "ConnectedAccount" }),
) {}

const urlLengthMax = 2_048
/** Our own limit. */
const apiKeyLengthMax = 1_024

/** Body of a connect request. */
export class NewAccount extends Schema.Opaque<NewAccount>()(
  Schema.Struct({
    appSlug: described("The provider.", AppSlug),
    accountName: described(
      "Display name, 1 to 160 characters, or null.",
      Schema.optionalKey(Schema.NullOr(requestText({ lengthMin: 1, lengthMax: 160 }))),
    ),
    credentials: described(
      "Stored encrypted and never returned.",
      Schema.Struct({
        apiKey: described(
          `The provider's API key, 1 to ${apiKeyLengthMax} printable ASCII characters.`,
          requestText({ lengthMin: 1, lengthMax: apiKeyLengthMax }).check(
            // What a header can contain.
            Schema.isPattern(/^[\x21-\x7e]*$/, { expected: "printable ASCII without spaces" }),
          ),
        ),
        baseUrl: described(
          "Base URL of the provider's API. Default: the server's `MAILER_BASE_URL`.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 2 * urlLengthMax })),
        ),
      }),
    ),
  }).annotate({ identifier: "NewConnectedAccount" }),
) {}

// How a probe changes an account: the transitions of spec 4.5, including two consecutive refusals. Pure.
export interface Health {
  readonly status: AccountStatus
  /** Consecutive probes answered with 401 or 403. */
  readonly refusals: number
}

/** `failed`: neither good nor refused, including no response. */
export type ProbeOutcome = "good" | "refused" | "failed"

/** Consecutive refusals that disconnect an account. */
const refusalsMax = 2

export const outcomeOf = (error: MailerError): ProbeOutcome =>
  error._tag === "CredentialsRefused" ? "refused" : "failed"

/** A disconnected account only recovers through a good probe, which only a user requests. */
export const afterProbe = ({ refusals, status }: Health, outcome: ProbeOutcome): Health => {
  switch (outcome) {
    case "good":
      return { status: "healthy", refusals: 0 }
    case "failed":
      return { status: status === "disconnected" ? status : "unhealthy", refusals: 0 }
    case "refused": {
      const inRow = refusals + 1
      const isOver = status === "disconnected" || inRow >= refusalsMax
      return { status: isOver ? "disconnected" : "unhealthy", refusals: inRow }
    }
  }
}
