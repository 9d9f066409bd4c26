// A suppression source: a list elsewhere that is mirrored into rules (spec 2.25, 5.21). Later rooms add kinds: each is one
// file that implements SourceKind, and app/ wires them together.
import { Context, type Effect, Schema, type Scope, type Stream } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { Queue } from "../../platform/jobs/queue.ts"
import type { ImportFormat } from "../imports/import-format.ts"
import type { RuleType } from "../suppression/rule.ts"

/** Maximum sources of an organization. */ // spec 10.3
export const sourcesMax = 20
/** Maximum headers of a request, and characters of each value. */ // spec 10.3
export const headersMax = 20
export const headerLengthMax = 2_000

/** Services whose accounts can be read. Each has the name of its connected accounts. */
export const sourceServices = [
  "hubspot",
  "emailoctopus",
  "mailchimp",
  "listmonk",
  "klaviyo",
  "brevo",
] as const
export type SourceService = (typeof sourceServices)[number]

export const sourceKinds = ["url", "list", ...sourceServices] as const
export type SourceKindName = (typeof sourceKinds)[number]

export const isOfService = (kind: SourceKindName): kind is SourceService =>
  kind !== "url" && kind !== "list"

/** Whom a service has: everyone, or only those who unsubscribed, bounced, complained or are suppressed there. */
export const sourcePeople = ["all", "refused"] as const
export type SourcePeople = (typeof sourcePeople)[number]

export const schedules = ["hourly", "daily"] as const
export type Schedule = (typeof schedules)[number]

/** `needs_attention`: a sync would remove most rules, and a member has to approve it. */
export const sourceStatuses = ["active", "paused", "needs_attention"] as const
export type SourceStatus = (typeof sourceStatuses)[number]

export const syncOutcomes = ["synced", "unchanged", "needs_attention", "failed"] as const

export interface LastSync {
  /** ISO 8601. */
  readonly at: string
  readonly outcome: (typeof syncOutcomes)[number]
  readonly new: number
  readonly removed: number
  readonly errorCode: string | null
  readonly errorMessage: string | null
}

/** What has changed since a file was fetched, as its server says it. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** A source as its kind reads it. */
export interface ReadableSource {
  readonly organizationId: string
  readonly id: string
  readonly url: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly connectedAccountId: string | null
  /** In the organization, or at the service. */
  readonly listId: string | null
  readonly people: SourcePeople | null
  /** Of the last sync; null if everything must be read. */
  readonly validators: Validators | null
}

/** Why a source could not be read. The message is for members. */
export class SourceFailed extends Schema.TaggedError<SourceFailed>()("SourceFailed", {
  code: Schema.String,
  message: Schema.String,
}) {}

/** All that a source has now. `file`: as a file of rules is written, for example `{"type", "value"}` in NDJSON. */
export type SourceContent =
  | { readonly is: "unchanged" }
  | {
      readonly is: "file"
      readonly format: ImportFormat
      readonly input: Stream.Stream<Uint8Array, SourceFailed>
      readonly validators: Validators | null
    }

export interface SourceKind {
  /**
   * Reads a source. What is read is asked for while the stream is, so memory doesn't grow with the source. An
   * interruption ends it.
   */
  read(source: ReadableSource): Effect.Effect<SourceContent, SourceFailed, Scope.Scope>
}

/** What a source of a service needs of a connected account, which a later room has. */
export interface ServiceKind extends SourceKind {
  /** People of this service are only found on lists. */
  readonly needsList: boolean
  /**
   * Whether the organization has this account of the service. In the caller's transaction; the account stays until its
   * end.
   */
  holdAccount(
    organizationId: string,
    connectedAccountId: string,
  ): Effect.Effect<boolean, DatabaseError>
}

/** Every kind but `list`, which the database mirrors itself. */
export class SourceKinds extends Context.Service<
  SourceKinds,
  Readonly<Record<"url", SourceKind> & Record<SourceService, ServiceKind>>
>()("@footfall/server/suppression-sources/SourceKinds") {}

/** The types that a list can give, the default first. */
export const typesOfList = {
  people: ["email"],
  companies: ["domain", "company_domain"],
} as const satisfies Record<string, ReadonlyArray<RuleType>>

/** A source's row in `suppression_sync`. A sync that failed is tried again, at the latest after an hour. */
export const syncQueue: Queue = {
  table: "suppression_sync",
  waiting: "waiting",
  working: "working",
  attemptsMax: 1_000_000,
  retrySeconds: [60, 300, 900, 3_600],
}
