// Accounts at mailing list providers, and their mailing lists. spec 2.17 and 5.11

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"

interface OneAccount {
  readonly account: ConnectedAccount
}

/** `footfall.integrations`. Needs the access token of a member, admin or owner. */
export class Integrations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists the connected accounts, newest first; at most 50. */
  accounts(options: RequestOptions = {}): ApiCall<ReadonlyArray<ConnectedAccount>> {
    return this.#transport
      .get<{
        readonly accounts: ReadonlyArray<ConnectedAccount>
      }>("/v1/intent/integrations/accounts", { credentials: "accessToken", options })
      .map(({ accounts }) => accounts)
  }

  /**
   * Checks the credentials and connects the account. Errors: BadRequestError if the provider rejects the credentials;
   * InternalServerError (`PROVIDER_ERROR`); ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`); ConflictError for the
   * 51st account.
   */
  connect(params: AccountConnectParams, options: RequestOptions = {}): ApiCall<ConnectedAccount> {
    return this.#transport
      .post<OneAccount>("/v1/intent/integrations/accounts", {
        body: params,
        credentials: "accessToken",
        secrets: [params.credentials.apiKey],
        options,
      })
      .map(({ account }) => account)
  }

  /** Checks an account now. Errors: NotFoundError. */
  check(accountId: string, options: RequestOptions = {}): ApiCall<ConnectedAccount> {
    return this.#transport
      .post<OneAccount>(path`/v1/intent/integrations/accounts/${accountId}/check`, {
        credentials: "accessToken",
        options,
      })
      .map(({ account }) => account)
  }

  /**
   * Removes an account and its credentials. Destinations that use it change to `needs_attention`. Errors:
   * NotFoundError.
   */
  disconnect(accountId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/intent/integrations/accounts/${accountId}`, {
      credentials: "accessToken",
      options,
    })
  }

  /**
   * Lists a healthy account's mailing lists, in the provider's order. Errors: NotFoundError; ConflictError
   * (`ACCOUNT_UNHEALTHY`); InternalServerError (`PROVIDER_ERROR`); ServiceUnavailableError.
   */
  mailingLists(
    connectedAccountId: string,
    options: RequestOptions = {},
  ): ApiCall<ReadonlyArray<MailingList>> {
    return this.#transport
      .get<{
        readonly lists: ReadonlyArray<MailingList>
      }>("/v1/intent/integrations/mailer/lists", {
        query: { connectedAccountId },
        credentials: "accessToken",
        options,
      })
      .map(({ lists }) => lists)
  }
}

/** A connected account. No response includes its credentials. */
export interface ConnectedAccount {
  readonly id: string
  /** `acct_` + 26 characters. */
  readonly automationAccountId: string
  readonly appSlug: "mailer"
  readonly appName: string
  readonly accountName: string | null
  readonly status: ConnectedAccountStatus
  /** When the account was last checked. */
  readonly lastSyncedAt: string
}

/** `disconnected`: the provider rejected the credentials twice in a row, or a user removed the account. */
export type ConnectedAccountStatus = "healthy" | "unhealthy" | "disconnected"

/** Provider and credentials of the new account. */
export interface AccountConnectParams {
  readonly appSlug: "mailer"
  /** 1 to 160 characters. */
  readonly accountName?: string | null | undefined
  readonly credentials: {
    readonly apiKey: string
    /** Default: the server's setting (`MAILER_BASE_URL`). */
    readonly baseUrl?: string | undefined
  }
}

/** A provider's mailing list. */
export interface MailingList {
  readonly id: string
  readonly name: string
  /** Whether new contacts are pending until they confirm. */
  readonly doubleOptIn: boolean
  readonly fields: ReadonlyArray<MailingListField>
  readonly tags: ReadonlyArray<string>
  readonly counts: {
    readonly pending: number
    readonly subscribed: number
    readonly unsubscribed: number
  }
}

/** A list field. `fieldMapping` refers to it by its tag. */
export interface MailingListField {
  readonly tag: string
  readonly type: "text" | "number" | "date" | "choice_single" | "choice_multiple"
  readonly label: string
  readonly fallback: string | null
}
