/**
 * If the tag asks for a part that this file lacks, this loads the full script instead. The full script finds this
 * script's tag where the commands would be, and reads its options. Until then nothing is stored or sent: this script
 * stops by throwing.
 *
 * The new tag copies the `nonce` but not `integrity`, which belongs to other bytes. A page that requires Trusted Types
 * blocks the new tag; there the option must be in the settings.
 */
import { address, dataset, full, namePrefix, tag } from "./tag.ts"

/** Prefixes of attributes that ask for a part this script lacks. `debug` is always included. */
const requestedParts =
  '"(-' +
  (HAS_CAPTURE ? "" : "|email") +
  (HAS_CONSENT ? "" : "|cons") +
  (HAS_PATHS ? "" : "|ex|in") +
  (HAS_OPTIONS ? "" : "|cook|res") +
  (HAS_OPTIONS && HAS_HASH ? "" : "|spa") +
  ")"

/** Only this script's names: see `tag.ts`. Another tag of the same pixel also waits for the full script. */
declare const window: { [loaded: string]: unknown }

if (!HAS_ALL && RegExp(requestedParts).test(JSON.stringify(dataset))) {
  window[namePrefix] = tag // own keys: a name of this script's.
  throw document.head.append(
    Object.assign(document.createElement("script"), {
      nonce: tag.nonce,
      src: address + "." + full + ".js",
    }),
  )
}
