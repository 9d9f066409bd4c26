// Connected accounts and their mailing lists. Source: spec 5.11.

import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { AccountConnectParams, ConnectedAccount, MailingList } from "./connected-account.ts"
import type { Deleted } from "./deleted.ts"

interface OneAccount {
  readonly account: ConnectedAccount
}

/** `footfall.integrations`. Needs an access token of a member, admin or owner. */
export class Integrations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every connected account, newest first; 50 at most. */
  async accounts(options: RequestOptions = {}): Promise<ReadonlyArray<ConnectedAccount>> {
    const { accounts } = await this.#transport.requestData<{
      readonly accounts: ReadonlyArray<ConnectedAccount>
    }>({
      method: "GET",
      path: "/v1/intent/integrations/accounts",
      credentials: "accessToken",
      options,
    })
    return accounts
  }

  /**
   * Connects an account after a first probe. Errors: BadRequestError for credentials that the provider
   * refuses; InternalServerError (`PROVIDER_ERROR`); ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`);
   * ConflictError for the 51st.
   */
  async connect(
    params: AccountConnectParams,
    options: RequestOptions = {},
  ): Promise<ConnectedAccount> {
    const { account } = await this.#transport.requestData<OneAccount>({
      method: "POST",
      path: "/v1/intent/integrations/accounts",
      body: params,
      credentials: "accessToken",
      secrets: [params.credentials.apiKey],
      options,
    })
    return account
  }

  /** Probes an account now. Errors: NotFoundError. */
  async check(accountId: string, options: RequestOptions = {}): Promise<ConnectedAccount> {
    const { account } = await this.#transport.requestData<OneAccount>({
      method: "POST",
      path: path`/v1/intent/integrations/accounts/${accountId}/check`,
      credentials: "accessToken",
      options,
    })
    return account
  }

  /** Removes an account and its credentials; destinations that use it need attention. Errors: NotFoundError. */
  async disconnect(accountId: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.requestData({
      method: "DELETE",
      path: path`/v1/intent/integrations/accounts/${accountId}`,
      credentials: "accessToken",
      options,
    })
  }

  /**
   * The mailing lists of a healthy account, in the provider's order. Errors: NotFoundError; ConflictError
   * (`ACCOUNT_UNHEALTHY`); InternalServerError (`PROVIDER_ERROR`); ServiceUnavailableError.
   */
  async mailingLists(
    connectedAccountId: string,
    options: RequestOptions = {},
  ): Promise<ReadonlyArray<MailingList>> {
    const { lists } = await this.#transport.requestData<{
      readonly lists: ReadonlyArray<MailingList>
    }>({
      method: "GET",
      path: "/v1/intent/integrations/mailer/lists",
      query: { connectedAccountId },
      credentials: "accessToken",
      options,
    })
    return lists
  }
}
