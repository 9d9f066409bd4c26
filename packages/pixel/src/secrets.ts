/**
 * Values that must never leave a page, because pages and script URLs are public (spec 6.5): API keys of this service,
 * JSON web tokens, and any value whose key suggests a secret. Matches text of the form `key=value`.
 */
export const SECRET = /^((api_?)?key|token|secret|password|auth)=|=\s*(sk_|eyJ)/i
