/**
 * A script without some part, on a page whose tag asks for that part: the full script comes in its
 * place and reads the tag of this one, which it finds where its commands would be. Until then nothing
 * is stored and nothing is sent: this one ends here, by throwing.
 *
 * The new tag has the nonce of the old one, but no `integrity`, which is that of other bytes. A page that
 * demands Trusted Types refuses it: there the option belongs into the settings.
 */
import { address, dataset, full, namePrefix, tag } from "./tag.ts"

/** Beginnings of attributes that ask for a part this script has not got. `debug` is always there. */
const wishes =
  '"(-' +
  (HAS_CAPTURE ? "" : "|email") +
  (HAS_CONSENT ? "" : "|cons") +
  (HAS_PATHS ? "" : "|ex|in") +
  (HAS_OPTIONS ? "" : "|cook|res") +
  (HAS_OPTIONS && HAS_HASH ? "" : "|spa") +
  ")"

/** As far as it is this script's: see `tag.ts`. Another tag of the pixel waits for the full script too. */
declare const window: { [loaded: string]: unknown }

if (!HAS_ALL && RegExp(wishes).test(JSON.stringify(dataset))) {
  window[namePrefix] = tag // own keys: a name of this script's.
  const { nonce } = tag
  const src = `${address}.${full}.js`
  throw document.head.append(Object.assign(document.createElement("script"), { nonce, src }))
}
