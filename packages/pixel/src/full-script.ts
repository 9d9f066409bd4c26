/**
 * A script without some part, on a page whose tag asks for that part: the full script comes in its
 * place, by a copy of the tag. Until then nothing is stored and nothing is sent.
 *
 * The copy has the attributes and the nonce of the tag, but no `integrity`, which is that of other
 * bytes. A page that demands Trusted Types refuses it: there the option belongs into the settings.
 */

export const lacksPart = (dataset: DOMStringMap): unknown =>
  (!HAS_CAPTURE && dataset["emailCapture"]) ||
  (!HAS_CONSENT && dataset["consent"]) ||
  (!HAS_HASH && dataset["spa"] === "hash") ||
  (!HAS_PATHS && (dataset["exclude"] || dataset["include"]))

export const loadFull = (tag: HTMLScriptElement, address: string): void => {
  const copy = document.createElement("script")
  Object.assign(copy.dataset, tag.dataset)
  copy.nonce = tag.nonce
  copy.src = address
  document.head.append(copy)
}
