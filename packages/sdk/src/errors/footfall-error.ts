// The root of what the SDK throws on purpose, but for a TypeError where an argument cannot be sent.
// It never holds a credential or a query string.

/** What every error of the SDK is: a message for people and a `code` for programs. */
export abstract class FootfallError extends Error {
  /** SCREAMING_SNAKE: an `ApiErrorCode` of the server, or one of the SDK's own. */
  abstract readonly code: string
}
