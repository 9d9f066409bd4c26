// Checks the form of an address that a customer typed: when it is stored, before every request, and after every
// redirect. Literal addresses are judged here; a hostname's addresses are judged when it is dialed (connector.ts).
// Addresses are parsed once, by the rules of browsers, so every spelling of an address is the same address.
import { Result } from "effect"
import { UrlNotAllowed } from "./outbound-error.ts"
import { isPublicAddress } from "./public-address.ts"

/** Units: Unicode code points. */ // spec 1.9
export const urlLengthMax = 2048

export interface UrlRules {
  /** Allows `http:` as well as `https:`: for pages we read, never for webhooks. */
  readonly isPlainAllowed: boolean
  /** `ALLOW_PRIVATE_WEBHOOKS`: allows any address, and `http:`. Changes nothing else. */ // spec 1.9.8
  readonly isPrivateAllowed: boolean
}

/** The parsed address, or why it is rejected. */
export const readOutboundUrl = (
  text: string,
  { isPlainAllowed, isPrivateAllowed }: UrlRules,
): Result.Result<URL, UrlNotAllowed> => {
  const refused = (reason: UrlNotAllowed["reason"]) => Result.fail(new UrlNotAllowed({ reason }))
  if (isTooLong(text)) return refused("too_long")
  if (!URL.canParse(text)) return refused("malformed")
  const url = new URL(text)
  // A reserved port that cannot be connected to.
  if (url.port === "0") return refused("malformed")
  const isPlain = url.protocol === "http:" && (isPlainAllowed || isPrivateAllowed)
  if (url.protocol !== "https:" && !isPlain) return refused("scheme")
  if (url.username !== "" || url.password !== "") return refused("user_info")
  const literal = literalAddress(url.hostname)
  return literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)
    ? refused("address")
    : Result.succeed(url)
}

/** A text of n code points has n to 2n code units, so only lengths in between need counting. */
const isTooLong = (text: string): boolean =>
  text.length > urlLengthMax && (text.length > 2 * urlLengthMax || [...text].length > urlLengthMax)

/** The address, if the host is a literal one. `host` is canonical, as in a parsed URL. */
export const literalAddress = (host: string): string | undefined => {
  if (host.startsWith("[")) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(":") ? host : undefined
}
