/**
 * Reads consent from the site's consent tools (spec 6.6): Google Consent Mode by `ad_user_data` or `ad_storage` in
 * `window.dataLayer`, and IAB TCF by purpose 1. It polls twice a second, only where consent is required. That leaves
 * the page's data layer untouched and catches tools that load late.
 *
 * A default that grants counts only if no default is limited to regions, because it may not apply to this visitor, and
 * only if the visitor hasn't chosen. Only a change of a tool's signal counts. `denied` revokes consent only if the
 * visitor answered, not as a default or while the banner is open.
 */
import { giveConsent } from "./consent.ts"
import { guard } from "./guard.ts"
import { SIGNAL_POLL_MS } from "./limits.ts"
import { choice, openVisitor } from "./visitor.ts"

/** Globals that other tools may have set. Any of them may be missing or wrong. */
interface Globals {
  readonly dataLayer?: ArrayLike<unknown>
  readonly __tcfapi?: (
    command: string,
    version: number,
    callback: (data: TcfData, success: boolean) => void,
  ) => void
}

interface ConsentEntry {
  readonly [position: number]: unknown
  readonly 2: { readonly [signal: string]: unknown }
}

interface TcfData {
  readonly gdprApplies?: boolean
  readonly eventStatus?: string
  readonly purpose: { readonly consents: { readonly [purpose: number]: boolean } }
}

let lastSignal: string | undefined
let isListeningToTcf = false

const handleSignal = (signal: string | false | undefined) => {
  if (signal && signal !== lastSignal) giveConsent((lastSignal = signal))
}

const consentModeSignal = (layer: ArrayLike<unknown>) => {
  let byDefault: string | undefined
  let isRegional = false
  let answer: string | undefined
  // Iterates over the indexes in order, and maybe over a `push` set by another tool.
  for (const index in layer) {
    const entry = (layer[index] || "") as ConsentEntry
    if (entry[0] === "consent") {
      const signals = entry[2]
      const text = "" + signals["ad_user_data"] + signals["ad_storage"]
      const signal = (/granted/.exec(text) || /denied/.exec(text) || [])[0]
      if (entry[1] === "update") answer = signal || answer
      else if (signals["region"]) isRegional = true
      else byDefault = signal
    }
  }
  return answer || (!isRegional && !choice && byDefault)
}

const checkSignals = () => {
  const { __tcfapi, dataLayer } = window as unknown as Globals
  if (dataLayer) handleSignal(consentModeSignal(dataLayer))
  if (__tcfapi && !isListeningToTcf) {
    isListeningToTcf = true
    __tcfapi(
      "addEventListener",
      2,
      guard(({ eventStatus, gdprApplies, purpose }: TcfData, success: boolean) => {
        if (success && gdprApplies && eventStatus !== "cmpuishown")
          handleSignal(purpose.consents[1] ? "granted" : "denied")
      }),
    )
  }
}

export const watchConsent = (): void => {
  const checkGuarded = guard(checkSignals)
  // The visitor's earlier choice overrides a default.
  openVisitor()
  checkGuarded()
  setInterval(checkGuarded, SIGNAL_POLL_MS)
}
