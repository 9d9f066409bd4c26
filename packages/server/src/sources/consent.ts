// Reads a message's consent (spec 15.2.7): categories in `context.consent`, as Segment's clients send them, or denied
// ids in `context.consentManagement`, as RudderStack's do. Without either, the sender vouches for consent.
import { isObject, type JsonObject } from "../visits/batch.ts"

/** The categories that identification needs, as consent tools name them. */
const categories: ReadonlyArray<string> = [
  "marketing",
  "advertising",
  "targeting",
  "analytics",
  "performance",
  "C0002",
  "C0004",
]

/** True when one of the categories is denied. */
export const isDenied = (context: JsonObject): boolean => {
  const { consent, consentManagement } = context
  if (isObject(consent)) {
    const preferences = isObject(consent["categoryPreferences"])
      ? consent["categoryPreferences"]
      : consent
    // own keys: the names are ours
    if (categories.some((name) => preferences[name] === false)) return true
  }
  if (!isObject(consentManagement)) return false
  const denied = consentManagement["deniedConsentIds"]
  return Array.isArray(denied) && categories.some((name) => denied.includes(name))
}
