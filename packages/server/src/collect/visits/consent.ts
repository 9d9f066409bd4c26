// What a batch may be used for. The script decides first; the server repeats the decision where a page can't change it
// (spec 6.6).
import type { CollectSettings } from "./collect-pixel.ts"

/** What the script reports about consent. */ // spec 6.3
export type Consent = "granted" | "implied" | "anonymous"

/** `refused`: store nothing. `anonymous`: count without any id, never identify. */
export type Permission = "identified" | "anonymous" | "refused"

/** `ignore` turns Global Privacy Control off for the whole server (GPC_MODE). */
export type GpcMode = "honour" | "ignore"

export interface PrivacySignals {
  readonly consent: Consent
  readonly gpc: boolean
  readonly dnt: boolean
  /** The request header `Sec-GPC`, as received. */
  readonly secGpc: string | undefined
  readonly country: string | undefined
  readonly gpcMode: GpcMode
}

export const permissionOf = (signals: PrivacySignals, settings: CollectSettings): Permission => {
  const mode = settings.consent ?? "auto"
  if (mode === "denied") return "refused"
  if (signals.consent === "implied" && mode !== "granted") {
    if (mode === "required" || consentRegion.has(signals.country ?? "")) return "refused"
  }
  const gpc = signals.gpc || signals.secGpc?.trim() === "1"
  if (gpc && signals.gpcMode === "honour") return "anonymous"
  if (signals.dnt && settings.respectDnt === true) return "anonymous"
  return signals.consent === "anonymous" ? "anonymous" : "identified"
}

/**
 * The EEA, the United Kingdom and Switzerland, as ISO 3166-1 alpha-2. The second line lists parts of the EU with their
 * own code: Åland and the French overseas departments. Some geo headers say only `EU`.
 */
const consentRegion: ReadonlySet<string> = new Set(
  (
    "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE " +
    "AX GF GP MF MQ RE YT " +
    "IS LI NO GB CH EU"
  ).split(" "),
)
