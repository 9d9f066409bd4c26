/**
 * What must never leave a page, because pages and script addresses are public (decisions.md 6.5): API
 * keys of this service and JSON web tokens as values, and whatever stands under a telling key.
 */
const SECRET = /^((key|api_?key|token|secret|password|auth)=|[^=]*=\s*(sk_|eyJ[\w-]*\.[\w-]+\.))/i

/** Whether it is one; says so with the key, never with the value. */
export const isSecret = (key: string, value: unknown): boolean => {
  const found = SECRET.test(key + "=" + value)
  if (found) console.warn("footfall: secret dropped: " + key)
  return found
}
