// A pixel's settings and how they change: key by key, `null` unsets one (spec 2.4). Only set keys are stored; an unset
// key reads as null, and its default applies.
import { Schema } from "effect"
import { normalizeDomain } from "@footfall/normal-form"
import { described, requestText } from "../../platform/http/fields.ts"

const Consent = Schema.Literals(["auto", "required", "granted", "denied"])
const Spa = Schema.Literals(["auto", "hash", "off"])
const EmailCapture = Schema.Literals(["off", "forms", "all"])
const Cookies = Schema.Literals(["first-party", "none"])

/** Maximum entries of a list of path prefixes or topic rules. spec 2.3, 2.4. */
const entriesMax = 50

export const PathPrefix = requestText({ lengthMin: 2, lengthMax: 500 }).check(
  Schema.isPattern(/^\//, { expected: "a path that starts with /" }),
)
export const PathPrefixes = Schema.Array(PathPrefix).check(Schema.isMaxLength(entriesMax))

/** A host, with or without the leading dot that cookies once used. */
const CookieDomain = requestText({ lengthMin: 1, lengthMax: 255 }).check(
  Schema.isPattern(/^\.?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i, { expected: "a host name" }),
)

/** Maximum length of a host in DNS. */
const hostLengthMax = 253

const ReferrerHost = requestText({ lengthMin: 1, lengthMax: hostLengthMax }).check(
  Schema.isPattern(/^(?:[^\s/:@?#.]{1,63}\.)+[^\s/:@?#.]{1,63}$/, {
    expected: "a host name, without https:// and without a path",
  }),
)

/** As returned by the API. */
export class PixelSettings extends Schema.Opaque<PixelSettings>()(
  Schema.Struct({
    consent: Schema.NullOr(Consent),
    spa: Schema.NullOr(Spa),
    emailCapture: Schema.NullOr(EmailCapture),
    cookies: Schema.NullOr(Cookies),
    cookieDomain: Schema.NullOr(Schema.String),
    respectDnt: Schema.NullOr(Schema.Boolean),
    pricingPaths: Schema.NullOr(Schema.Array(Schema.String)),
    demoPaths: Schema.NullOr(Schema.Array(Schema.String)),
    ignoredReferrers: Schema.NullOr(Schema.Array(Schema.String)),
    topicRules: Schema.Array(Schema.Struct({ path: Schema.String, topicId: Schema.Int })),
    keyPages: Schema.Array(Schema.Struct({ path: Schema.String, name: Schema.String })),
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
  ignoredReferrers: null,
  topicRules: [],
  keyPages: [],
}

const TopicRules = Schema.Array(
  Schema.Struct({
    path: described("Path prefix, 2 to 500 characters, starting with `/`.", PathPrefix),
    topicId: described(
      "Id of the topic of these pages.",
      Schema.Int.check(Schema.isGreaterThan(0)),
    ),
  }),
).check(Schema.isMaxLength(entriesMax))

const KeyPages = Schema.Array(
  Schema.Struct({
    path: described("Path prefix, 2 to 500 characters, starting with `/`.", PathPrefix),
    name: described("1 to 80 characters.", requestText({ lengthMin: 1, lengthMax: 80 })),
  }),
).check(Schema.isMaxLength(entriesMax))

const setting = <Value extends Schema.Top>(description: string, value: Value) =>
  described(`${description} Null resets it.`, Schema.optionalKey(Schema.NullOr(value)))

/** As submitted. Omitted keys do not change. */
export class SettingsChange extends Schema.Opaque<SettingsChange>()(
  Schema.Struct({
    consent: setting("How the pixel decides on consent. Default `auto`.", Consent),
    spa: setting("How the pixel notices navigation inside a single-page app. Default `auto`.", Spa),
    emailCapture: setting(
      "Which forms the pixel reads email addresses from. Default `off`.",
      EmailCapture,
    ),
    cookies: setting(
      "Whether the pixel sets a first-party cookie. Default `first-party`.",
      Cookies,
    ),
    cookieDomain: setting("Domain of the cookie. Default: the domain of the page.", CookieDomain),
    respectDnt: setting(
      "Whether to treat Do Not Track like Global Privacy Control. Default `false`.",
      Schema.Boolean,
    ),
    pricingPaths: setting("Path prefixes of pricing pages, at most 50.", PathPrefixes),
    demoPaths: setting("Path prefixes of demo pages, at most 50.", PathPrefixes),
    ignoredReferrers: setting(
      "Hosts, with their subdomains, that only send people back, at most 50. They change no attribution.",
      Schema.Array(ReferrerHost).check(Schema.isMaxLength(entriesMax)),
    ),
    topicRules: setting("Which pages are about which topic, at most 50.", TopicRules),
    keyPages: setting(
      "Pages that matter on this site besides pricing and demo pages, with a name each, at most 50.",
      KeyPages,
    ),
  }).annotate({ identifier: "PixelSettingsChange" }),
) {}

export type StoredSettings = Readonly<Record<string, Schema.Json>>

/** The keys set after the change; an empty list of topic rules or key pages counts as unset. */
export const changeSettings = (
  stored: StoredSettings,
  { ignoredReferrers, keyPages, topicRules, ...change }: SettingsChange,
): StoredSettings => {
  const hosts = ignoredReferrers?.map((host) => normalizeDomain(host, hostLengthMax) ?? host)
  const ignored = ignoredReferrers === undefined ? {} : { ignoredReferrers: hosts ?? null }
  const rules =
    topicRules === undefined ? {} : { topicRules: topicRules?.length ? topicRules : null }
  const pages = keyPages === undefined ? {} : { keyPages: keyPages?.length ? keyPages : null }
  return Object.fromEntries(
    Object.entries({ ...stored, ...change, ...ignored, ...rules, ...pages }).filter(
      ([, value]) => value !== null,
    ),
  )
}

/** The topics of the rules, each once, in order. */
export const topicsOf = ({ topicRules }: SettingsChange): ReadonlyArray<number> => [
  ...new Set(topicRules?.map(({ topicId }) => topicId)),
]
