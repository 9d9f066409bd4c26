// How a destination changes and moves between states, as a value (spec 2.15, 4.3, 5.10). A change to what was approved
// is applied first and makes it a draft; then the requested status applies. The caller determines whether approval is
// allowed.
import { Result, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import {
  type AutomationConfig,
  configHash,
  type DestinationConfig,
  type DestinationStatus,
  orderedEventTypes,
  type ValidationPolicy,
} from "./destination.ts"
import type { AutomationConfigRequest, DestinationChange } from "./destination-request.ts"

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
  /** It was paused while it needed attention, so the cause must be checked before it is active again. */
  readonly mustBeApproved: boolean
}

export interface Changed {
  readonly content: Content
  /** This change approves the configuration, which the caller must allow. */
  readonly isApproval: boolean
  /** Queued deliveries were meant for another configuration. */
  readonly isWithdrawn: boolean
}

export const changed = (
  present: Content,
  { status: requested, ...change }: DestinationChange,
): Result.Result<Changed, TransitionInvalid> => {
  const described = withFields(present, change)
  return Result.map(moved(described, requested), (content) => ({
    content,
    isApproval: requested === "active" && isUnapproved(described),
    isWithdrawn: present.status !== "draft" && described.status === "draft",
  }))
}

/** Activating from these states approves the configuration. spec 4.3. */
const isUnapproved = ({ mustBeApproved, status }: Content): boolean =>
  status === "draft" || status === "needs_attention" || mustBeApproved

const withFields = (present: Content, change: Omit<DestinationChange, "status">): Content => {
  const { name = present.name, validationPolicy = present.validationPolicy } = change
  const config = changedConfig(present.config, change)
  const described = { ...present, name, validationPolicy, config }
  if (isDeepStrictEqual(described, present)) return present
  const revised = { ...described, configRevision: present.configRevision + 1 }
  return configHash(config) === configHash(present.config)
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
      : { ...config, config: automationConfig(change.config) }
  }
  const { eventTypes, timeoutMs = config.timeoutMs, url = config.url } = change
  return {
    ...config,
    url,
    eventTypes: eventTypes === undefined ? config.eventTypes : orderedEventTypes(eventTypes),
    timeoutMs,
  }
}

const moved = (
  present: Content,
  requested: DestinationChange["status"],
): Result.Result<Content, TransitionInvalid> => {
  const { mustBeApproved, status } = present
  if (requested === undefined || requested === status) return Result.succeed(present)
  if (requested === "paused") {
    return status === "draft"
      ? Result.fail(new TransitionInvalid({ status, requested }))
      : Result.succeed({
          ...present,
          status: "paused",
          mustBeApproved: mustBeApproved || status === "needs_attention",
        })
  }
  if (!isUnapproved(present)) return Result.succeed({ ...present, status: "active" })
  return Result.succeed({
    ...present,
    status: "active",
    approvedConfigHash: configHash(present.config),
    consecutiveErrors: 0,
    mustBeApproved: false,
  })
}

/** Fills in defaults. */ // spec 2.15.1
export const automationConfig = ({
  fieldMapping = {},
  listId,
  listName,
  tags = [],
}: AutomationConfigRequest): AutomationConfig => ({
  listId,
  ...(listName === undefined ? {} : { listName }),
  emailSource: "email",
  newContactStatus: "SUBSCRIBED",
  fieldMapping,
  tags,
})
