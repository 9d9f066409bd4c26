/**
 * What must never leave a page, because pages and script addresses are public (spec 6.5): API
 * keys of this service and JSON web tokens as values, and whatever stands under a telling key. Of the
 * form `key=value`.
 */
export const SECRET = /^((api_?)?key|token|secret|password|auth)=|=\s*(sk_|eyJ)/i
