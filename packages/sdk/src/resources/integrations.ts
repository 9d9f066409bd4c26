// Accounts at mailing list providers, and their mailing lists. spec 2.17 and 5.11
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
   * Returns the current mailing lists of a connected account. Errors: BadRequestError, PermissionError,
   * NotFoundError, ConflictError (`ACCOUNT_UNHEALTHY`), InternalServerError (`PROVIDER_ERROR`; the provider answered
   * with an error), ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  mailingLists(
    connectedAccountId: string,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<MailingList>> {
    return this.#transport
      .get<{ readonly lists: ReadonlyArray<MailingList> }>("/v1/intent/integrations/mailer/lists", {
        query: { connectedAccountId },
        credentials: "accessToken",
        options,
      })
      .map(({ lists }) => lists)
  }

  /** Returns the organization's accounts at mailing-list providers, newest first. Errors: PermissionError. */
  accounts(options: RequestOptions = {}): ApiCall<ReadonlyArray<ConnectedAccount>> {
    return this.#transport
      .get<{ readonly accounts: ReadonlyArray<ConnectedAccount> }>(
        "/v1/intent/integrations/accounts",
        { credentials: "accessToken", options },
      )
      .map(({ accounts }) => accounts)
  }

  /**
   * Connects an account at a mailing-list provider, after checking its API key with the provider. The key is stored
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
   * Removes a connected account. Destinations that use it change to `needs_attention`. Errors: PermissionError,
   * NotFoundError.
   */
  disconnect(accountId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/intent/integrations/accounts/${accountId}`, {
      credentials: "accessToken",
      options,
    })
  }
}

/** A provider's mailing list. */
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
  /** How many contacts the list has. */
  readonly counts: {
    /** Contacts who have not confirmed yet. */
    readonly pending: number
    /** Subscribed contacts. */
    readonly subscribed: number
    /** Contacts who unsubscribed. */
    readonly unsubscribed: number
  }
}

/** A connected account. No response includes its credentials. */
export interface ConnectedAccount {
  /** Id of the account. */
  readonly id: string
  /** `acct_` + 26 characters. */
  readonly automationAccountId: string
  /** The service. */
  readonly appSlug: "mailer"
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
  readonly appSlug: "mailer"
  /** Display name, 1 to 160 characters, or null. */
  readonly accountName?: string | null | undefined
  /** Stored encrypted and never returned. */
  readonly credentials: {
    /** The provider's API key, 1 to 1024 printable ASCII characters. */
    readonly apiKey: string
    /** Base URL of the provider's API. Default: the server's `MAILER_BASE_URL`. */
    readonly baseUrl?: string | undefined
  }
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
