// A destination as deliveries use it, including secrets.
import type { Redacted } from "effect"
import type { MessageEndpoint } from "../../../platform/outbound/message.ts"
import type {
  DestinationConfig,
  DestinationStatus,
  ValidationPolicy,
  WebhookDestinationConfig,
} from "../destination.ts"

export interface TargetKey {
  readonly organizationId: string
  readonly destinationId: string
}

export interface Target {
  readonly organizationId: string
  readonly id: string
  readonly audienceId: string
  readonly audienceName: string
  readonly name: string
  readonly status: DestinationStatus
  /** The destination or its audience was deleted; nothing more is sent. */
  readonly isDeleted: boolean
  readonly configRevision: number
  readonly config: DestinationConfig
  readonly approvedConfigHash: string | null
  /** Whether the current configuration is the approved one. */ // spec 2.15
  readonly isApproved: boolean
  readonly validationPolicy: ValidationPolicy
  /** `whsec_…`, current first; the previous one during its grace period. Empty for automation. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  /** Of its requests, by lower-case name. Empty for automation. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly lastSuccessfulRunId: string | null
  readonly initialSyncCompletedAt: string | null
}

/** The results of a batch's contacts. */
export interface Settled {
  readonly sent: number
  readonly skipped: number
  readonly removed: number
  readonly failed: number
  /** Contacts that failed after the last one sent, in the order they were settled. */
  readonly failedSinceSent: number
  /** Attempts that failed after the last contact that was sent. */
  readonly failedAttempts: number
  /** The last one's error, if any. */
  readonly attemptError?: TargetError | undefined
  /** The last failure, if any. `code`: one of a delivery's error codes. */ // spec 2.16
  readonly lastError?: TargetError | undefined
}

export interface TargetError {
  readonly code: string
  readonly message: string
}

/** Where a webhook's requests go. */
export const endpointOf = (
  { headers, secrets }: Pick<Target, "headers" | "secrets">,
  { timeoutMs, url }: WebhookDestinationConfig,
): MessageEndpoint => ({ url, timeoutMs, secrets, headers })
