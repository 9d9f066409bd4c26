// An account at a mailing-list provider, and its lists. Source: spec 2.17 and 5.11.

/** A connected account; its credentials are in no answer. */
export interface ConnectedAccount {
  readonly id: string
  /** `acct_` + 26 characters. */
  readonly automationAccountId: string
  readonly appSlug: "mailer"
  readonly appName: string
  readonly accountName: string | null
  readonly status: ConnectedAccountStatus
  /** Of the last probe. */
  readonly lastSyncedAt: string
}

/** `disconnected`: the provider refused the credentials twice in a row, or a user removed it. */
export type ConnectedAccountStatus = "healthy" | "unhealthy" | "disconnected"

/** What an account is connected with. */
export interface AccountConnectParams {
  readonly appSlug: "mailer"
  /** 1 to 160 characters. */
  readonly accountName?: string | null | undefined
  readonly credentials: {
    readonly apiKey: string
    /** Default: the server's own (`MAILER_BASE_URL`). */
    readonly baseUrl?: string | undefined
  }
}

/** A mailing list of a provider. */
export interface MailingList {
  readonly id: string
  readonly name: string
  /** New contacts are pending until they confirm. */
  readonly doubleOptIn: boolean
  readonly fields: ReadonlyArray<MailingListField>
  readonly tags: ReadonlyArray<string>
  readonly counts: {
    readonly pending: number
    readonly subscribed: number
    readonly unsubscribed: number
  }
}

/** A field of a list, which `fieldMapping` names by its tag. */
export interface MailingListField {
  readonly tag: string
  readonly type: "text" | "number" | "date" | "choice_single" | "choice_multiple"
  readonly label: string
  readonly fallback: string | null
}
