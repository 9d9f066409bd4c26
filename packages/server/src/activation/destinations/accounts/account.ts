// An account at a mailing list provider that an organization has connected (spec 2.17, 4.5, 5.11). No response contains
// its credentials.
import { Schema } from "effect"
import { described, requestText } from "../../../platform/http/fields.ts"
import type { Issue } from "../../../platform/http/issues.ts"
import { leavings } from "../connectors/automation-config.ts"
import { type Connector, credentialNames } from "../connectors/connector.ts"
import type { ConnectorError } from "../connectors/connector-error.ts"
import { appSlugs, connectors } from "../connectors/connectors.ts"

// spec 10.3
export const accountsPerOrganizationMax = 50

export const accountStatuses = ["healthy", "unhealthy", "disconnected"] as const
export const AccountStatus = Schema.Literals(accountStatuses)
export type AccountStatus = typeof AccountStatus.Type

export const AppSlug = Schema.Literals(appSlugs)

/** A service that accounts can be connected to: what its form asks for, and what a configuration may ask of it. */
export class Integration extends Schema.Opaque<Integration>()(
  Schema.Struct({
    appSlug: AppSlug,
    appName: Schema.String,
    credentials: Schema.Array(
      Schema.Struct({
        name: Schema.Literals(credentialNames),
        label: Schema.String,
        hint: Schema.String,
        isRequired: Schema.Boolean,
      }),
    ),
    newContactStatuses: Schema.Array(Schema.NullOr(Schema.Literals(["SUBSCRIBED"]))),
    onLeave: Schema.Array(Schema.Literals(leavings)),
    hasTags: Schema.Boolean,
    canErase: Schema.Boolean,
    suppressionSource: Schema.NullOr(Schema.Struct({ needsList: Schema.Boolean })),
  }).annotate({ identifier: "Integration" }),
) {}

export const integrations: ReadonlyArray<Integration> = appSlugs.map((appSlug) => {
  const { abilities, appName, credentials, people }: Connector = connectors[appSlug]
  const { newContactStatus: newContactStatuses, ...rest } = abilities
  const suppressionSource = people === undefined ? null : { needsList: people.needsList }
  return { appSlug, appName, credentials, newContactStatuses, suppressionSource, ...rest }
})

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
const usernameLengthMax = 200

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
        username: described(
          `Name of the API user, where the service has one: 1 to ${usernameLengthMax} printable ASCII characters.`,
          Schema.optionalKey(
            requestText({ lengthMin: 1, lengthMax: usernameLengthMax }).check(
              Schema.isPattern(/^[\x21-\x39\x3b-\x7e]*$/, {
                expected: "printable ASCII without spaces and colons",
              }),
            ),
          ),
        ),
        baseUrl: described(
          "URL of the service, with or without the path of its API. Default: the service's own, or the server's `MAILER_BASE_URL` for `mailer`.",
          Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: 2 * urlLengthMax })),
        ),
      }),
    ),
  }).annotate({ identifier: "NewConnectedAccount" }),
) {}

/** Credentials that the service doesn't have, or that it requires. */
export const credentialIssues = (
  { appName, credentials: fields, keyForm }: Connector,
  given: NewAccount["credentials"],
): ReadonlyArray<Issue> => {
  const path = (name: string) => `/body/credentials/${name}`
  const unknown = Object.keys(given).flatMap((name) =>
    fields.some((field) => field.name === name)
      ? []
      : [
          {
            path: path(name),
            code: "unknown_field",
            message: `${appName} does not have this field.`,
          },
        ],
  )
  const missing = fields.flatMap(({ isRequired, name }) =>
    isRequired && given[name] === undefined
      ? [{ path: path(name), code: "required", message: `${appName} requires this field.` }]
      : [],
  )
  const isFormed = keyForm === undefined || keyForm.pattern.test(given.apiKey)
  const misformed = isFormed
    ? []
    : [{ path: path("apiKey"), code: "format", message: `Expected ${keyForm.expected}.` }]
  return [...unknown, ...missing, ...misformed]
}

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

export const outcomeOf = (error: ConnectorError): ProbeOutcome =>
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
