// Accounts at mailing list providers and CRMs, and their lists. spec 2.17 and 5.11
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

/** `footfall.integrations`. Needs the access token of a member, admin or owner. */
export class Integrations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the services that accounts can be connected to: the credentials that each requires, and what an
   * automation destination can ask of it. Errors: PermissionError.
   */
  list(options: RequestOptions = {}): ApiCall<ReadonlyArray<Integration>> {
    return this.#transport
      .get<{ readonly integrations: ReadonlyArray<Integration> }>("/v1/intent/integrations", {
        credentials: "accessToken",
        options,
      })
      .map(({ integrations }) => integrations)
  }

  /**
   * Returns the current lists of a connected account that can be written to, with their fields. Errors:
   * BadRequestError, PermissionError, NotFoundError, ConflictError (`ACCOUNT_UNHEALTHY`), InternalServerError
   * (`PROVIDER_ERROR`; the provider answered with an error), ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  mailingLists(
    appSlug: AppSlug,
    connectedAccountId: string,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<MailingList>> {
    return this.#transport
      .get<{ readonly lists: ReadonlyArray<MailingList> }>(
        path`/v1/intent/integrations/${appSlug}/lists`,
        { query: { connectedAccountId }, credentials: "accessToken", options },
      )
      .map(({ lists }) => lists)
  }

  /**
   * Returns the current lists of a connected account that a suppression source can read. HubSpot has more of them
   * than of those that can be written to: its dynamic lists. Others have the same. Errors: BadRequestError,
   * PermissionError, NotFoundError, ConflictError (`ACCOUNT_UNHEALTHY`), InternalServerError (`PROVIDER_ERROR`; the
   * provider answered with an error), ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  readableLists(
    appSlug: AppSlug,
    connectedAccountId: string,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<MailingList>> {
    return this.#transport
      .get<{ readonly lists: ReadonlyArray<MailingList> }>(
        path`/v1/intent/integrations/${appSlug}/readable-lists`,
        { query: { connectedAccountId }, credentials: "accessToken", options },
      )
      .map(({ lists }) => lists)
  }

  /** Returns the organization's accounts at mailing list providers and CRMs, newest first. Errors: PermissionError. */
  accounts(options: RequestOptions = {}): ApiCall<ReadonlyArray<ConnectedAccount>> {
    return this.#transport
      .get<{ readonly accounts: ReadonlyArray<ConnectedAccount> }>(
        "/v1/intent/integrations/accounts",
        { credentials: "accessToken", options },
      )
      .map(({ accounts }) => accounts)
  }

  /**
   * Connects an account at a mailing list provider or CRM, after checking its API key there. The key is stored
   * encrypted and never returned. Errors: BadRequestError (the provider rejects the credentials), PermissionError,
   * ConflictError (50 accounts are connected), InternalServerError (`PROVIDER_ERROR`; the provider answered with an
   * error), ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  connect(params: AccountConnectParams, options: RequestOptions = {}): ApiCall<ConnectedAccount> {
    return this.#transport
      .post<{ readonly account: ConnectedAccount }>("/v1/intent/integrations/accounts", {
        body: params,
        credentials: "accessToken",
        secrets: [params.credentials.apiKey],
        options,
      })
      .map(({ account }) => account)
  }

  /**
   * Checks with the provider whether the account still works, and updates its status. Errors: PermissionError,
   * NotFoundError, ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  check(accountId: string, options: RequestOptions = {}): ApiCall<ConnectedAccount> {
    return this.#transport
      .post<{ readonly account: ConnectedAccount }>(
        path`/v1/intent/integrations/accounts/${accountId}/check`,
        { credentials: "accessToken", options },
      )
      .map(({ account }) => account)
  }

  /**
   * Writes two invented contacts to an empty list of the account, and checks what Footfall relies on: a contact is
   * written once, someone who unsubscribed stays unsubscribed, and removing, returning and erasing take effect. The
   * contacts are deleted at the end, and so is a list that was made for the check. It takes up to four minutes.
   * Errors: BadRequestError (the list has contacts, or the service can't be checked), PermissionError, NotFoundError,
   * ConflictError (`ACCOUNT_UNHEALTHY`), InternalServerError (`PROVIDER_ERROR`; the provider answered with an error),
   * ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  certify(
    accountId: string,
    params: AccountCheck = {},
    options: RequestOptions = {},
  ): ApiCall<Certificate> {
    return this.#transport
      .post<{ readonly certificate: Certificate }>(
        path`/v1/intent/integrations/accounts/${accountId}/certify`,
        { body: params, credentials: "accessToken", options },
      )
      .map(({ certificate }) => certificate)
  }

  /**
   * Removes a connected account. Destinations that use it change to `needs_attention`. An account that a suppression
   * source reads returns `ACCOUNT_IN_USE`, and `details.suppressionSourceIds` lists the sources. Errors:
   * PermissionError, NotFoundError, ConflictError (`ACCOUNT_IN_USE`: see `suppressionSourceIds`).
   */
  disconnect(accountId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/intent/integrations/accounts/${accountId}`, {
      credentials: "accessToken",
      options,
    })
  }
}

/** A service that accounts can be connected to. */
export interface Integration {
  /** The service. */
  readonly appSlug: AppSlug
  /** Name of the service. */
  readonly appName: string
  /** Fields of the form that connects an account, in order. */
  readonly credentials: ReadonlyArray<{
    /** Key in `credentials`. */
    readonly name: "apiKey" | "username" | "baseUrl"
    /** Name of the field, as people see it. */
    readonly label: string
    /** Where to find the value. */
    readonly hint: string
    /** Whether the service requires it. */
    readonly isRequired: boolean
  }>
  /** Allowed values of `config.newContactStatus`; the first is the default. */
  readonly newContactStatuses: ReadonlyArray<"SUBSCRIBED" | null>
  /** Allowed values of `config.onLeave`; the first is the default. */
  readonly onLeave: ReadonlyArray<"keep" | "remove_tag" | "remove_from_list">
  /** Whether `config.tags` may have tags. */
  readonly hasTags: boolean
  /** Whether `config.eraseAtProvider` may be true. */
  readonly canErase: boolean
  /** How a suppression source reads its accounts; null if none can. */
  readonly suppressionSource: {
    /** Whether such a source needs a list. If not, it may read the whole account. */
    readonly needsList: boolean
  } | null
}

/** A list of a service: a mailing list, or the contacts of a CRM. */
export interface MailingList {
  /** Id of the list. */
  readonly id: string
  /** Name of the list. */
  readonly name: string
  /** Whether new contacts are pending until they confirm. */
  readonly doubleOptIn: boolean
  /** Fields that contacts of the list have. */
  readonly fields: ReadonlyArray<MailingListField>
  /** Tags that the list uses. */
  readonly tags: ReadonlyArray<string>
  /** How many contacts the list has; null if the service doesn't say. */
  readonly counts: {
    /** Contacts who have not confirmed yet. */
    readonly pending: number
    /** Subscribed contacts. */
    readonly subscribed: number
    /** Contacts who unsubscribed. */
    readonly unsubscribed: number
  } | null
}

/** A service that accounts can be connected to. */
export type AppSlug =
  | "mailer"
  | "emailoctopus"
  | "listmonk"
  | "mailchimp"
  | "brevo"
  | "klaviyo"
  | "hubspot"
  | "pipedrive"
  | "attio"

/** A connected account. No response includes its credentials. */
export interface ConnectedAccount {
  /** Id of the account. */
  readonly id: string
  /** `acct_` + 26 characters. */
  readonly automationAccountId: string
  /** The service. */
  readonly appSlug: AppSlug
  /** Name of the service. */
  readonly appName: string
  /** Name of the account at the service; null if the service names none. */
  readonly accountName: string | null
  /** Whether the service accepts the key. `disconnected`: it was disconnected here. */
  readonly status: ConnectedAccountStatus
  /** When the account was last checked. */
  readonly lastSyncedAt: string
}

/** Provider and credentials of the new account. */
export interface AccountConnectParams {
  /** The provider. */
  readonly appSlug: AppSlug
  /** Display name, 1 to 160 characters, or null. */
  readonly accountName?: string | null | undefined
  /** Stored encrypted and never returned. */
  readonly credentials: {
    /** The provider's API key, 1 to 1024 printable ASCII characters. */
    readonly apiKey: string
    /** Name of the API user, where the service has one: 1 to 200 printable ASCII characters. */
    readonly username?: string | undefined
    /**
     * URL of the service, with or without the path of its API. Default: the service's own, or the server's
     * `MAILER_BASE_URL` for `mailer`.
     */
    readonly baseUrl?: string | undefined
  }
}

export interface AccountCheck {
  /** An empty list of the account, which is kept. Default: a list that is made for the check and deleted at its end. */
  readonly listId?: string | undefined
  /** Domain of the invented contacts. Default: `example.com`, which no one can have. Some services refuse it. */
  readonly domain?: string | undefined
}

/** The result of checking a service with an account. */
export interface Certificate {
  /** The list that was used. */
  readonly listId: string
  /** Whether the list was made for the check, and deleted at its end. */
  readonly isListCreated: boolean
  /** Whether no check failed. */
  readonly hasPassed: boolean
  /** The checks, in their order. */
  readonly checks: ReadonlyArray<{
    /** What was checked. */
    readonly name: "write" | "repeat" | "refusal" | "removal" | "return" | "erasure"
    /** How it went. `skipped`: the service or its API does not allow it. */
    readonly status: "passed" | "failed" | "skipped"
    /** What was found, as a sentence. */
    readonly message: string
  }>
}

/** A list field. `fieldMapping` refers to it by its tag. */
export interface MailingListField {
  /** The name that the service uses for the field. */
  readonly tag: string
  /** Type of the field. */
  readonly type: "text" | "number" | "date" | "choice_single" | "choice_multiple"
  /** Name of the field, as people see it. */
  readonly label: string
  /** What the service shows for an empty field; null if nothing. */
  readonly fallback: string | null
}

/** `disconnected`: the provider rejected the credentials twice in a row, or a user removed the account. */
export type ConnectedAccountStatus = "healthy" | "unhealthy" | "disconnected"
