/**
 * A script without some part, on a page whose tag asks for that part: the full script comes in its
 * place, by a copy of the tag. Until then nothing is stored and nothing is sent.
 *
 * The copy has the attributes and the nonce of the tag, but no `integrity`, which is that of other
 * bytes. A page that demands Trusted Types refuses it: there the option belongs into the settings.
 */

/** Beginnings of attributes that ask for a part this script has not got. `debug` is always there. */
const wishes = () =>
  RegExp(
    '"(-' +
      (HAS_CAPTURE ? "" : "|email") +
      (HAS_CONSENT ? "" : "|cons") +
      (HAS_PATHS ? "" : "|ex|in") +
      (HAS_OPTIONS ? "" : "|cook|res") +
      (HAS_OPTIONS && HAS_HASH ? "" : "|spa") +
      ")",
  )

/** As far as it is this script's: the guard against a double load, see `start.ts`. */
declare const window: { [loaded: string]: unknown }

/** Throws where the full script comes, from that address. Another tag of the pixel waits for it too. */
export const stopForFull = (tag: HTMLScriptElement, name: string, address: string): void => {
  if (wishes().test(JSON.stringify(tag.dataset))) {
    const copy = document.createElement("script")
    Object.assign(copy.dataset, tag.dataset)
    copy.nonce = tag.nonce
    copy.src = tag.src.replace(/[^?]*/, address)
    document.head.append(copy)
    window[name] = 1
    throw address
  }
}
