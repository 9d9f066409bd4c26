// How a destination changes and moves between states, as a value (spec 2.15, 4.3, 5.10). A change to approved settings
// is applied first and makes it a draft; then the requested status applies. The caller determines whether approval is
// allowed.
import { Result, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import {
  type BodyKind,
  configHash,
  type DestinationConfig,
  type DestinationStatus,
  orderedEventTypes,
  type ValidationPolicy,
  type WebhookDestinationConfig,
} from "./destination.ts"
import type { AutomationConfig, NewContactStatus } from "./connectors/automation-config.ts"
import type { Connector } from "./connectors/connector.ts"
import { type AppSlug, connectors } from "./connectors/connectors.ts"
import type { AutomationConfigRequest, DestinationChange } from "./destination-request.ts"
import { withHeaders } from "./webhook-headers.ts"

/** The requested state can't be reached from the current one. */
export class TransitionInvalid extends Schema.TaggedError<TransitionInvalid>()(
  "TransitionInvalid",
  { status: Schema.String, requested: Schema.String },
) {}

/** The fields of a destination that a request can change. */
export interface Content {
  readonly name: string
  readonly status: DestinationStatus
  readonly validationPolicy: ValidationPolicy
  readonly config: DestinationConfig
  readonly configRevision: number
  readonly approvedConfigHash: string | null
  readonly consecutiveErrors: number
  /** The destination was paused while it needed attention, so the cause must be checked before it is active again. */
  readonly mustBeApproved: boolean
}

export interface Changed {
  readonly content: Content
  /** This change approves the configuration; the caller must check whether it may. */
  readonly isApproval: boolean
  /** Queued deliveries were created for another configuration. */
  readonly isWithdrawn: boolean
}

/** `headers` of the change: hashes of the values, as the configuration has them. */
export const changed = (
  current: Content,
  { status: requested, ...change }: DestinationChange,
): Result.Result<Changed, TransitionInvalid> => {
  const described = withFields(current, change)
  return Result.map(moved(described, requested), (content) => ({
    content,
    isApproval: requested === "active" && isUnapproved(described),
    isWithdrawn: current.status !== "draft" && described.status === "draft",
  }))
}

/** Activating from these states approves the configuration. spec 4.3. */
const isUnapproved = ({ mustBeApproved, status }: Content): boolean =>
  status === "draft" || status === "needs_attention" || mustBeApproved

const withFields = (current: Content, change: Omit<DestinationChange, "status">): Content => {
  const { name = current.name, validationPolicy = current.validationPolicy } = change
  const config = changedConfig(current.config, change)
  const described = { ...current, name, validationPolicy, config }
  if (isDeepStrictEqual(described, current)) return current
  const revised = { ...described, configRevision: current.configRevision + 1 }
  return configHash(config) === configHash(current.config)
    ? revised
    : { ...revised, status: "draft", approvedConfigHash: null, mustBeApproved: false }
}

const changedConfig = (
  config: DestinationConfig,
  change: Omit<DestinationChange, "status">,
): DestinationConfig => {
  if (config.destinationType === "automation") {
    return change.config === undefined
      ? config
      : { ...config, config: automationConfig(config.appSlug, change.config) }
  }
  const { eventTypes, timeoutMs = config.timeoutMs, url = config.url } = change
  const { body, headers, template, ...rest } = config
  return {
    ...rest,
    url,
    eventTypes: eventTypes === undefined ? config.eventTypes : orderedEventTypes(eventTypes),
    timeoutMs,
    ...headersOf(withHeaders(headers, change.headers ?? {})),
    ...bodyOf(change.body ?? body, textOf(change.template) ?? template),
  }
}

// What has its default is left out. spec 2.15.1

export const headersOf = (
  headers: Readonly<Record<string, string>>,
): Pick<WebhookDestinationConfig, "headers"> =>
  Object.keys(headers).length === 0 ? {} : { headers }

export const bodyOf = (
  body: BodyKind | undefined,
  template: string | undefined,
): Pick<WebhookDestinationConfig, "body" | "template"> => ({
  ...(body === undefined || body === "standard" ? {} : { body }),
  ...(body === "template" && template !== undefined ? { template } : {}),
})

/** A template as it is stored. */
export const textOf = (template: object | undefined): string | undefined =>
  template === undefined ? undefined : JSON.stringify(template)

const moved = (
  current: Content,
  requested: DestinationChange["status"],
): Result.Result<Content, TransitionInvalid> => {
  const { mustBeApproved, status } = current
  if (requested === undefined || requested === status) return Result.succeed(current)
  if (requested === "paused") {
    return status === "draft"
      ? Result.fail(new TransitionInvalid({ status, requested }))
      : Result.succeed({
          ...current,
          status: "paused",
          mustBeApproved: mustBeApproved || status === "needs_attention",
        })
  }
  if (!isUnapproved(current)) return Result.succeed({ ...current, status: "active" })
  return Result.succeed({
    ...current,
    status: "active",
    approvedConfigHash: configHash(current.config),
    consecutiveErrors: 0,
    mustBeApproved: false,
  })
}

/** The first that the service offers. */
const statusDefault = (appSlug: AppSlug): NewContactStatus => {
  const { newContactStatus }: Connector["abilities"] = connectors[appSlug].abilities
  return newContactStatus[0] ?? null
}

/** Fills in defaults. */ // spec 2.15.1
export const automationConfig = (
  appSlug: AppSlug,
  {
    eraseAtProvider = false,
    fieldMapping = {},
    listId,
    listName,
    newContactStatus = statusDefault(appSlug),
    onLeave = "keep",
    tags = [],
  }: AutomationConfigRequest,
): AutomationConfig => ({
  listId,
  ...(listName === undefined ? {} : { listName }),
  emailSource: "email",
  newContactStatus,
  fieldMapping,
  tags,
  onLeave,
  eraseAtProvider,
})
