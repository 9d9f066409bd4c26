// Why a request to a service failed (spec 2.17). No error contains the credentials or what was sent.
import { Schema } from "effect"

/** 401 or 403. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()(
  "CredentialsRefused",
  { status: Schema.Int },
) {}

/** 404: the provider does not have the list. */
export class ListGone extends Schema.TaggedError<ListGone>()("ListGone", {}) {}

/** The provider rejects this contact for good. `sentence`: why, in its own words without the address; null if it doesn't say. */
export class ContactRefused extends Schema.TaggedError<ContactRefused>()("ContactRefused", {
  status: Schema.Int,
  sentence: Schema.NullOr(Schema.String),
}) {}

/**
 * 429, or still waiting because of one. `retryAfterSeconds`: null if not given. `isOurs`: our own pacing held the
 * request back.
 */
export class ProviderRateLimited extends Schema.TaggedError<ProviderRateLimited>()(
  "ProviderRateLimited",
  { retryAfterSeconds: Schema.NullOr(Schema.Int), isOurs: Schema.optionalKey(Schema.Boolean) },
) {}

/** No response. `reason`: the guarded client's error; only `UrlNotAllowed` is permanent. */
export class ProviderUnreachable extends Schema.TaggedError<ProviderUnreachable>()(
  "ProviderUnreachable",
  {
    reason: Schema.Literals([
      "UrlNotAllowed",
      "NameNotResolved",
      "ConnectionRefused",
      "TlsFailed",
      "NoAnswer",
      "TimedOut",
    ]),
  },
) {}

/**
 * Any other status outside 2xx, or a 2xx with an invalid body. `isTransient`: the same request may succeed later (408,
 * 425, 5xx, unreadable).
 */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  status: Schema.Int,
  isTransient: Schema.Boolean,
  /** Also honored on 503. */ // spec 8.1
  retryAfterSeconds: Schema.NullOr(Schema.Int),
}) {}

/** Someone of the request was erased here, or another process took over: nothing was asked. */
export class NotNoted extends Schema.TaggedError<NotNoted>()("NotNoted", {}) {}

export type ConnectorError =
  | CredentialsRefused
  | ListGone
  | ContactRefused
  | ProviderRateLimited
  | ProviderUnreachable
  | ProviderFailed

/** Of a request that changes someone. */
export type WritingError = ConnectorError | NotNoted

/**
 * Whether the error makes the account unhealthy: 5xx, 429, or no response. Refused credentials are confirmed by a
 * probe, and errors about a list or contact do not concern the account.
 */ // spec 4.5
export const isOfAccount = (error: WritingError): boolean =>
  error._tag === "ProviderRateLimited" ||
  error._tag === "ProviderUnreachable" ||
  (error._tag === "ProviderFailed" && error.isTransient)

/** The provider's status; null without a response. */ // spec 9, PROVIDER_ERROR
export const providerStatus = (error: ConnectorError): number | null => {
  switch (error._tag) {
    case "ContactRefused":
    case "CredentialsRefused":
    case "ProviderFailed":
      return error.status
    case "ListGone":
      return 404
    case "ProviderRateLimited":
      return 429
    case "ProviderUnreachable":
      return null
  }
}
