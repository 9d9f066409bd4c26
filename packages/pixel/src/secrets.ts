/**
 * What must never leave a page, because pages and script addresses are public (decisions.md 6.5): API
 * keys of this service and JSON web tokens as values, and whatever stands under a telling key.
 */
const KEY = /^(key|api_?key|token|secret|password|auth)$/i

export const isSecretValue = (value: unknown): boolean =>
  /^\s*(sk_|eyJ[\w-]*\.[\w-]+\.)/.test("" + value)

/** Whether it is one; says so with the key, never with the value. */
export const isSecret = (key: string, value: unknown): boolean => {
  const found = KEY.test(key) || isSecretValue(value)
  if (found) console.warn("footfall: secret dropped: " + key)
  return found
}
