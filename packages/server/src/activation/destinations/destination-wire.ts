// A destination as the API shows it (spec 2.15), built from the stored one. The secret is only in two responses, never
// in this one.
import { Schema } from "effect"
import { AppSlug, ConnectedAccount } from "./accounts/account.ts"
import type { AccountRow } from "./accounts/store.ts"
import { leavings, mappedAttributes } from "./connectors/automation-config.ts"
import { connectors } from "./connectors/connectors.ts"
import {
  type AutomationDestinationConfig,
  bodyKinds,
  destinationStatuses,
  destinationTypes,
  eventTypes,
  validationPolicies,
  type WebhookDestinationConfig,
} from "./destination.ts"
import type { DestinationRow } from "./store.ts"

// A stored account as returned: without its base URL and credentials.

type Shown = Pick<
  AccountRow,
  "accountName" | "appSlug" | "automationAccountId" | "id" | "lastSyncedAt" | "status"
>

export const accountOf = (row: Shown): ConnectedAccount => ({
  id: row.id,
  automationAccountId: row.automationAccountId,
  appSlug: row.appSlug,
  appName: connectors[row.appSlug].appName,
  accountName: row.accountName,
  status: row.status,
  lastSyncedAt: row.lastSyncedAt,
})

const text = Schema.NullOr(Schema.String)

export class Destination extends Schema.Opaque<Destination>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    audienceId: Schema.String,
    name: Schema.String,
    destinationType: Schema.Literals(destinationTypes),
    status: Schema.Literals(destinationStatuses),
    validationPolicy: Schema.Literals(validationPolicies),
    configRevision: Schema.Int,
    approvedConfigHash: text,
    lastSuccessfulRunId: text,
    initialSyncCompletedAt: text,
    stats: Schema.Struct({
      totalSynced: Schema.Int,
      totalSkipped: Schema.Int,
      totalFailed: Schema.Int,
      totalRemoved: Schema.Int,
      consecutiveErrors: Schema.Int,
      lastDeliveredAt: text,
      lastErrorCode: text,
      lastErrorMessage: text,
      lastErrorAt: text,
    }),
    /** The last attempt failed. */
    retrying: Schema.NullOr(
      Schema.Struct({
        /** Attempts that failed since the last success. */
        count: Schema.Int,
        errorCode: text,
        errorMessage: text,
        at: text,
      }),
    ),
    webhook: Schema.NullOr(
      Schema.Struct({
        url: Schema.String,
        signingVersion: Schema.Literal("v1"),
        eventTypes: Schema.Array(Schema.Literals(eventTypes)),
        timeoutMs: Schema.Int,
        /** Their names. */
        headers: Schema.Array(Schema.String),
        body: Schema.Literals(bodyKinds),
        template: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
      }),
    ),
    automation: Schema.NullOr(
      Schema.Struct({
        appSlug: AppSlug,
        connectedAccount: ConnectedAccount,
        config: Schema.Struct({
          listId: Schema.String,
          listName: Schema.optionalKey(Schema.String),
          emailSource: Schema.Literal("email"),
          newContactStatus: Schema.NullOr(Schema.Literals(["SUBSCRIBED"])),
          fieldMapping: Schema.Record(Schema.String, Schema.Literals(mappedAttributes)),
          tags: Schema.Array(Schema.String),
          onLeave: Schema.Literals(leavings),
          eraseAtProvider: Schema.Boolean,
        }),
      }),
    ),
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Destination" }),
) {}

export const destinationOf = ({ account, config, ...row }: DestinationRow): Destination => ({
  ...row,
  webhook: config.destinationType === "webhook" ? webhookOf(config) : null,
  // the database ensures that they match
  automation: config.destinationType === "automation" ? automationOf(config, account!) : null,
})

const webhookOf = ({
  body,
  eventTypes,
  headers = {},
  template,
  timeoutMs,
  url,
}: WebhookDestinationConfig) => ({
  url,
  signingVersion: "v1" as const,
  eventTypes,
  timeoutMs,
  headers: Object.keys(headers).toSorted(),
  body: body ?? ("standard" as const),
  template: template === undefined ? null : (JSON.parse(template) as Record<string, unknown>),
})

const automationOf = (
  { appSlug, config }: AutomationDestinationConfig,
  account: NonNullable<DestinationRow["account"]>,
) => ({ appSlug, connectedAccount: accountOf(account), config })
