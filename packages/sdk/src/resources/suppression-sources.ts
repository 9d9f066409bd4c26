// Lists elsewhere that are mirrored into suppression rules. spec 2.25 and 5.21
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

/** `footfall.suppressionSources`. Accepts an API key or an access token. A viewer's token can only read. */
export class SuppressionSources {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns every suppression source of the organization, newest first. */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<SuppressionSource>> {
    return this.#transport.get("/v1/data/suppression-sources", { credentials: "either", options })
  }

  /**
   * Creates a source, which is mirrored into rules at once and then on its schedule. A source of a service reads the
   * people of a connected account: those on a list, or everyone in it. An organization has at most 20. Errors:
   * BadRequestError, NotFoundError.
   */
  create(
    params: SuppressionSourceCreateParams,
    options: CreateOptions = {},
  ): ApiCall<SuppressionSource> {
    return this.#transport.create("/v1/data/suppression-sources", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns one source with the outcome of its last sync. Errors: NotFoundError. */
  get(sourceId: string, options: RequestOptions = {}): ApiCall<SuppressionSource> {
    return this.#transport.get(path`/v1/data/suppression-sources/${sourceId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Changes a source and syncs it. A paused source keeps its rules. `headers` replaces all headers. A source of a
   * service can be given another account of that service, for example after its key was replaced. Errors:
   * BadRequestError, NotFoundError.
   */
  update(
    sourceId: string,
    params: SuppressionSourceUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<SuppressionSource> {
    return this.#transport.patch(path`/v1/data/suppression-sources/${sourceId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Deletes a source with its rules, except those that a member, a file or another source has too. `rules=keep` keeps
   * them all. Errors: BadRequestError, NotFoundError.
   */
  delete(
    sourceId: string,
    params: SuppressionSourceDeleteParams = {},
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/suppression-sources/${sourceId}`, {
      query: { ...params },
      credentials: "either",
      options,
    })
  }

  /** Syncs a source as soon as possible. A paused source returns 409. Errors: NotFoundError. */
  sync(sourceId: string, options: RequestOptions = {}): ApiCall<SuppressionSource> {
    return this.#transport.post(path`/v1/data/suppression-sources/${sourceId}/sync`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Lets a source that needs attention remove as many rules as it wanted to, and syncs it. More removals need another
   * approval. Errors: NotFoundError.
   */
  approve(sourceId: string, options: RequestOptions = {}): ApiCall<SuppressionSource> {
    return this.#transport.post(path`/v1/data/suppression-sources/${sourceId}/approve`, {
      credentials: "either",
      options,
    })
  }
}

/** A list elsewhere that is mirrored into suppression rules. */
export interface SuppressionSource {
  /** Id of the source, and of the origin of its rules. */
  readonly id: string
  /** The organization that it belongs to. */
  readonly organizationId: string
  /** Name of the source. */
  readonly name: string
  /** `url`: a file on a web server. `list`: one of your lists. Any other: a service, whose connected account is read. */
  readonly kind: SuppressionSourceKind
  /** Types of its rules. */
  readonly types: ReadonlyArray<"email" | "domain" | "company_domain" | "industry">
  /** How often it is synced. */
  readonly schedule: SuppressionSourceSchedule
  /**
   * `active`: it is synced. `paused`: its rules stay as they are. `needs_attention`: a sync would remove most of its
   * rules, and waits for approval.
   */
  readonly status: SuppressionSourceStatus
  /** The account that it reads; null for `url` and `list`. */
  readonly connectedAccountId: string | null
  /**
   * For `list`, the list that it mirrors. For a service, the list there; null means everyone in the account. Null for
   * `url`.
   */
  readonly listId: string | null
  /**
   * For a service: `all` is everyone on the list, `refused` those who unsubscribed, bounced, complained or are
   * suppressed there. Null for `url` and `list`.
   */
  readonly people: SuppressionSourcePeople | null
  /** The file that it mirrors; null for other kinds. */
  readonly url: string | null
  /** Column that contains the values; null if the file decides. */
  readonly column: string | null
  /** Names of the request's headers. Their values are never shown. */
  readonly headerNames: ReadonlyArray<string>
  /** Rules that the source had at its last sync. */
  readonly rules: number
  /** What waits for approval; null if nothing does. */
  readonly attention: {
    /** `most`: most of the rules would be removed. `empty`: the file has no rows. `no_rules`: no row of it is a rule. */
    readonly reason: string
    /** Rules that would be removed. */
    readonly removals: number
    /** Rules that the source has. */
    readonly present: number
  } | null
  /** The last sync; null before the first. */
  readonly lastSync: {
    /** When it ended. */
    readonly at: string
    /**
     * `synced`: something has changed. `unchanged`: nothing has. `needs_attention`: it waits for approval. `failed`: it
     * is tried again.
     */
    readonly outcome: "synced" | "unchanged" | "needs_attention" | "failed"
    /** Rules that were new in the source. */
    readonly new: number
    /** Rules that the source no longer has. */
    readonly removed: number
    /** Why it failed, for programs; null if it did not. */
    readonly errorCode: string | null
    /** Why it failed, for people; null if it did not. */
    readonly errorMessage: string | null
  } | null
  /** When it is due next; null while it is paused or needs attention. */
  readonly nextSyncAt: string | null
  /** When it was created. */
  readonly createdAt: string
  /** When it was last changed or synced. */
  readonly updatedAt: string
}

export interface SuppressionSourceCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** What the source is. It never changes. */
  readonly kind: SuppressionSourceKind
  /**
   * Types of the rules. Of a file: rows of other types are rejected, and a file without types has the only one. Of a
   * list of people, and of a service: `email`. Of a list of companies: `domain` (the default), `company_domain`, or
   * both.
   */
  readonly types?: ReadonlyArray<"email" | "domain" | "company_domain" | "industry"> | undefined
  /** How often the source is synced. A list is also synced within a minute of each change. */
  readonly schedule?: SuppressionSourceSchedule | undefined
  /**
   * For `list`, the list to mirror. For a service, the id that its list has there. Without it, everyone in the
   * account; EmailOctopus and Mailchimp have people on lists only.
   */
  readonly listId?: string | undefined
  /** A connected account of the service. */
  readonly connectedAccountId?: string | undefined
  /**
   * Who is suppressed, of a service: `all` is everyone on the list, such as customers. `refused` is those of them who
   * unsubscribed, bounced, complained or are suppressed there.
   */
  readonly people?: SuppressionSourcePeople | undefined
  /** An https URL of a file of CSV, text or NDJSON, also compressed with gzip, of at most 100 MiB. */
  readonly url?: string | undefined
  /** Column that contains the values, by name or by number from 1. Default: decided by the file. */
  readonly column?: string | null | undefined
  /** Headers of the request, by name, such as `authorization`. Stored encrypted, and never shown. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface SuppressionSourceUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /**
   * Types of the rules. Of a file: rows of other types are rejected, and a file without types has the only one. Of a
   * list of people, and of a service: `email`. Of a list of companies: `domain` (the default), `company_domain`, or
   * both.
   */
  readonly types?: ReadonlyArray<"email" | "domain" | "company_domain" | "industry"> | undefined
  /** How often the source is synced. A list is also synced within a minute of each change. */
  readonly schedule?: SuppressionSourceSchedule | undefined
  /** `paused` keeps the rules as they are. `active` syncs again. */
  readonly status?: "active" | "paused" | undefined
  /** A connected account of the service. */
  readonly connectedAccountId?: string | undefined
  /** The list of a service. Null means everyone in the account. */
  readonly listId?: string | null | undefined
  /**
   * Who is suppressed, of a service: `all` is everyone on the list, such as customers. `refused` is those of them who
   * unsubscribed, bounced, complained or are suppressed there.
   */
  readonly people?: SuppressionSourcePeople | undefined
  /** An https URL of a file of CSV, text or NDJSON, also compressed with gzip, of at most 100 MiB. */
  readonly url?: string | undefined
  /** Column that contains the values, by name or by number from 1. Default: decided by the file. */
  readonly column?: string | null | undefined
  /** Replaces all headers; null removes them. */
  readonly headers?: Readonly<Record<string, string>> | null | undefined
}

export interface SuppressionSourceDeleteParams {
  /** What becomes of its rules. Default: `remove`. */
  readonly rules?: "remove" | "keep" | undefined
}

/** What a source is. */
export type SuppressionSourceKind =
  | "url"
  | "list"
  | "hubspot"
  | "emailoctopus"
  | "mailchimp"
  | "listmonk"
  | "klaviyo"
  | "brevo"

/** How often a source is synced. */
export type SuppressionSourceSchedule = "hourly" | "daily"

/** `needs_attention`: a sync would remove most of its rules, and waits for approval. */
export type SuppressionSourceStatus = "active" | "paused" | "needs_attention"

/** Whom a source of a service has. */
export type SuppressionSourcePeople = "all" | "refused"
