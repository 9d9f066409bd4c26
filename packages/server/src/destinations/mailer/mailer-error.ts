// Why a request to a mailing-list provider failed (spec 2.17). None of them holds what
// was sent or the credentials.
import { Schema } from "effect"

/** 401 or 403. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>()(
  "CredentialsRefused",
  { status: Schema.Int },
) {}

/** 404: the provider has no such list. */
export class ListGone extends Schema.TaggedError<ListGone>()("ListGone", {}) {}

/** 422: the provider will not have this contact. `title`: of its problem body, or null. */
export class ContactRefused extends Schema.TaggedError<ContactRefused>()("ContactRefused", {
  title: Schema.NullOr(Schema.String),
}) {}

/**
 * 429, or the wait of one is not over. `retryAfterSeconds`: null when it was not told. `isOurs`: no request was
 * made.
 */
export class ProviderRateLimited extends Schema.TaggedError<ProviderRateLimited>()(
  "ProviderRateLimited",
  { retryAfterSeconds: Schema.NullOr(Schema.Int), isOurs: Schema.optionalKey(Schema.Boolean) },
) {}

/** No answer. `reason`: what the guarded client says; only `UrlNotAllowed` stays as it is. */
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
 * Any other status than 2xx, or a 2xx whose body is not that of the interface. `isTransient`: the same
 * request may succeed later (408, 425, 5xx, unreadable).
 */
export class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  status: Schema.Int,
  isTransient: Schema.Boolean,
  /** Honoured on 503 too. */ // spec 8.1
  retryAfterSeconds: Schema.NullOr(Schema.Int),
}) {}

export type MailerError =
  | CredentialsRefused
  | ListGone
  | ContactRefused
  | ProviderRateLimited
  | ProviderUnreachable
  | ProviderFailed

/**
 * Whether it makes the account unhealthy: 5xx, 429, no answer. Refused credentials show by a probe, and what is
 * said of a list or a contact says nothing of the account.
 */ // spec 4.5
export const isOfAccount = (error: MailerError): boolean =>
  error._tag === "ProviderRateLimited" ||
  error._tag === "ProviderUnreachable" ||
  (error._tag === "ProviderFailed" && error.isTransient)

/** Status the provider answered with; null when it gave no answer. */ // spec 9, PROVIDER_ERROR
export const providerStatus = (error: MailerError): number | null => {
  switch (error._tag) {
    case "CredentialsRefused":
    case "ProviderFailed":
      return error.status
    case "ListGone":
      return 404
    case "ContactRefused":
      return 422
    case "ProviderRateLimited":
      return 429
    case "ProviderUnreachable":
      return null
  }
}
