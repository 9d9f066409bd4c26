/**
 * Consent as the tools of a site tell it (spec 6.6): Google's Consent Mode, by `ad_user_data`
 * or `ad_storage` in `window.dataLayer`, and IAB TCF, by purpose 1. Asked only where consent is
 * required, twice a second: the page's data layer stays untouched, and a tool that comes late is heard.
 *
 * A default that grants counts only where no default is limited to regions, as it may not be meant for
 * this visitor, and where the visitor has not chosen. Of a tool what counts is a change of what it says; `denied` revokes only as an answer
 * of the visitor, not as a default or while the banner is shown.
 */
import { giveConsent } from "./consent.ts"
import { guard } from "./guard.ts"
import { SIGNAL_LOOK_MS } from "./limits.ts"
import { choice, openVisitor } from "./visitor.ts"

/** What other tools may have put onto the page, of which nothing is certain. */
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

let said: string | undefined
let hearsTcf = false

const hear = (signal: string | false | undefined) => {
  if (signal && signal !== said) giveConsent((said = signal))
}

const consentModeSignal = (layer: ArrayLike<unknown>) => {
  let byDefault: string | undefined
  let isRegional = false
  let answer: string | undefined
  // Its indexes, in their order, and perhaps a `push` of its own.
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

const look = () => {
  const { __tcfapi, dataLayer } = window as unknown as Globals
  if (dataLayer) hear(consentModeSignal(dataLayer))
  if (__tcfapi && !hearsTcf) {
    hearsTcf = true
    __tcfapi(
      "addEventListener",
      2,
      guard(({ eventStatus, gdprApplies, purpose }: TcfData, success: boolean) => {
        if (success && gdprApplies && eventStatus !== "cmpuishown")
          hear(purpose.consents[1] ? "granted" : "denied")
      }),
    )
  }
}

export const watchConsent = (): void => {
  const lookGuarded = guard(look)
  // What the visitor has chosen before counts more than a default.
  openVisitor()
  lookGuarded()
  setInterval(lookGuarded, SIGNAL_LOOK_MS)
}
