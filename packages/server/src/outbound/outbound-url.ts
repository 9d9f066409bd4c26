// The form of an address that a customer typed: what is checked when it is stored, and again before
// every request and after every redirect. Literal addresses are judged here; what a name resolves to is
// judged when it is dialled (connector.ts). It is parsed once, by the rules browsers have, so that every
// spelling of an address is the same address.
import { Result } from "effect"
import { UrlNotAllowed } from "./outbound-error.ts"
import { isPublicAddress } from "./public-address.ts"

/** Units: Unicode code points. */ // spec 1.9
export const urlLengthMax = 2048

export interface UrlRules {
  /** `http:` besides `https:`: for pages that are read, never for webhooks. */
  readonly isPlainAllowed: boolean
  /** `ALLOW_PRIVATE_WEBHOOKS`: any address, and `http:`. Lifts nothing else. */ // spec 1.9.8
  readonly isPrivateAllowed: boolean
}

/** The parsed address, or why it is refused. */
export const readOutboundUrl = (
  text: string,
  { isPlainAllowed, isPrivateAllowed }: UrlRules,
): Result.Result<URL, UrlNotAllowed> => {
  const refused = (reason: UrlNotAllowed["reason"]) => Result.fail(new UrlNotAllowed({ reason }))
  if (isTooLong(text)) return refused("too_long")
  if (!URL.canParse(text)) return refused("malformed")
  const url = new URL(text)
  // Reserved: it can be written and not connected to.
  if (url.port === "0") return refused("malformed")
  const isPlain = url.protocol === "http:" && (isPlainAllowed || isPrivateAllowed)
  if (url.protocol !== "https:" && !isPlain) return refused("scheme")
  if (url.username !== "" || url.password !== "") return refused("user_info")
  const literal = literalAddress(url.hostname)
  return literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)
    ? refused("address")
    : Result.succeed(url)
}

/** A text of n code points has n to 2n units, so only those between are counted. */
const isTooLong = (text: string): boolean =>
  text.length > urlLengthMax && (text.length > 2 * urlLengthMax || [...text].length > urlLengthMax)

/** The address, when a host is one rather than a name. `host` is canonical, as a parsed URL has it. */
export const literalAddress = (host: string): string | undefined => {
  if (host.startsWith("[")) return host.slice(1, -1)
  return /^[\d.]+$/.test(host) || host.includes(":") ? host : undefined
}
