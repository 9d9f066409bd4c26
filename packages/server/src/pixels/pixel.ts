// A pixel: one site of an organization (decisions.md 2.3, 2.4). Its domain is its identity within
// the organization, kept in normal form so that `https://WWW.Acme.example/x` is the same pixel.
import { Schema } from "effect"
import { domainToASCII } from "node:url"

/** decisions.md 2.3. Units: characters of the ASCII form. */
export const domainLengthMax = 255

export const PausedReason = Schema.Literals(["manual", "organization_inactive"])

const PathPattern = Schema.String.check(
  Schema.isPattern(/^\//),
  Schema.isMinLength(2),
  Schema.isMaxLength(500),
)
const PathPatterns = Schema.Array(PathPattern).check(Schema.isMaxLength(50))

/** A key that is not set reads as null; the default then applies (decisions.md 2.4). */
export class PixelSettings extends Schema.Opaque<PixelSettings>()(
  Schema.Struct({
    consent: Schema.NullOr(Schema.Literals(["auto", "required", "granted", "denied"])),
    spa: Schema.NullOr(Schema.Literals(["auto", "hash", "off"])),
    emailCapture: Schema.NullOr(Schema.Literals(["off", "forms", "all"])),
    cookies: Schema.NullOr(Schema.Literals(["first-party", "none"])),
    cookieDomain: Schema.NullOr(Schema.String.check(Schema.isMaxLength(255))),
    respectDnt: Schema.NullOr(Schema.Boolean),
    pricingPaths: Schema.NullOr(PathPatterns),
    demoPaths: Schema.NullOr(PathPatterns),
    topicRules: Schema.Array(
      Schema.Struct({ path: PathPattern, topicId: Schema.Int.check(Schema.isGreaterThan(0)) }),
    ).check(Schema.isMaxLength(50)),
  }).annotate({ identifier: "PixelSettings" }),
) {}

export const unsetSettings: PixelSettings = {
  consent: null,
  spa: null,
  emailCapture: null,
  cookies: null,
  cookieDomain: null,
  respectDnt: null,
  pricingPaths: null,
  demoPaths: null,
  topicRules: [],
}

const pixelFields = {
  id: Schema.String,
  domain: Schema.String,
  name: Schema.String,
  status: Schema.Literals(["active", "paused"]),
  pausedReason: Schema.NullOr(PausedReason),
  excludedPaths: Schema.NullOr(Schema.Array(Schema.String)),
  includedPaths: Schema.NullOr(Schema.Array(Schema.String)),
  settings: PixelSettings,
  verifiedAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  lastEventAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  createdAt: Schema.DateTimeUtcFromString,
  updatedAt: Schema.DateTimeUtcFromString,
}

/** A pixel as the API shows it in a list. */
export class Pixel extends Schema.Opaque<Pixel>()(
  Schema.Struct(pixelFields).annotate({ identifier: "Pixel" }),
) {}

/**
 * The normal form of a domain: lower case, ASCII, without scheme, user info, `www.`, port, path and
 * trailing dot. Undefined for what is no host name. Idempotent. Source: decisions.md 1.5.
 */
export const normalizeDomain = (text: string): string | undefined => {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/:\d*$/, "")
    .replace(/\.$/, "")
  const ascii = domainToASCII(host).replace(/^(?:www\.)+(?=[^.]+(?:\.|$))/, "")
  return isHostName(ascii) ? ascii : undefined
}

/** Labels of 1 to 63 letters, digits and inner hyphens; `localhost` is one, for development. */
const isHostName = (host: string): boolean =>
  host.length > 0 &&
  host.length <= domainLengthMax &&
  (host === "localhost" || host.includes(".")) &&
  !/^[\d.]+$/.test(host) &&
  host.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
