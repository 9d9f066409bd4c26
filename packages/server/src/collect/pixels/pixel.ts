// A pixel: one site of an organization (spec 2.3). Its domain identifies it within the organization, in normal form, so
// `https://WWW.Acme.example/x` is the same pixel.
import * as normalForm from "@footfall/normal-form"
import { Schema, SchemaTransformation } from "effect"
import { described, requestText } from "../../platform/http/fields.ts"
import { PathPrefixes, PixelSettings, SettingsChange } from "./settings.ts"

/** Units: characters of the ASCII form. */ // spec 2.3
export const domainLengthMax = 255
/** A URL is accepted in place of a domain; this is its limit. Units: code points. */
const domainTextLengthMax = 2048

export const PixelStatus = Schema.Literals(["active", "paused"])
export const PausedReason = Schema.Literals(["manual", "organization_inactive"])

const pixelFields = {
  id: Schema.String,
  domain: Schema.String,
  name: Schema.String,
  status: PixelStatus,
  pausedReason: Schema.NullOr(PausedReason),
  excludedPaths: Schema.NullOr(Schema.Array(Schema.String)),
  includedPaths: Schema.NullOr(Schema.Array(Schema.String)),
  settings: PixelSettings,
  verifiedAt: Schema.NullOr(Schema.String),
  lastEventAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String,
}

/** A pixel in a list. */
export class Pixel extends Schema.Opaque<Pixel>()(
  Schema.Struct(pixelFields).annotate({ identifier: "Pixel" }),
) {}

/** The HTML and policy entries for a page, besides the plain tag. */
export class PixelEmbed extends Schema.Opaque<PixelEmbed>()(
  Schema.Struct({
    immutable: Schema.Struct({
      url: Schema.String,
      integrity: Schema.String,
      code: Schema.String,
    }),
    contentSecurityPolicy: Schema.Struct({ scriptSrc: Schema.String, connectSrc: Schema.String }),
  }).annotate({ identifier: "PixelEmbed" }),
) {}

/** A pixel on its own. */
export class PixelWithCode extends Schema.Opaque<PixelWithCode>()(
  Schema.Struct({ ...pixelFields, code: Schema.String, embed: PixelEmbed }).annotate({
    identifier: "PixelWithCode",
  }),
) {}

/**
 * A domain's normal form: lower case, ASCII, without scheme, user info, `www.`, port, path and trailing dot. Undefined
 * if it is not a hostname. Idempotent.
 */ // spec 1.5
export const normalizeDomain = (text: string): string | undefined =>
  normalForm.normalizeDomain(text, domainLengthMax)

/** A domain or URL as submitted; decodes to the normal form. */
const Domain = requestText({ lengthMin: 1, lengthMax: domainTextLengthMax })
  .check(
    Schema.makeFilter((text) => normalForm.normalizeDomain(text, Infinity) !== undefined, {
      issueCode: "format",
      expected: "a host name",
    }),
    Schema.makeFilter(
      (text) => (normalForm.normalizeDomain(text, Infinity)?.length ?? 0) <= domainLengthMax,
      { issueCode: "max_length", expected: `a host name of at most ${domainLengthMax} characters` },
    ),
  )
  .pipe(
    Schema.decodeTo(
      Schema.String,
      SchemaTransformation.transform({
        decode: (text) => normalizeDomain(text) ?? text,
        encode: (domain: string) => domain,
      }),
    ),
  )

const Name = requestText({ lengthMin: 1, lengthMax: 255 })
const settings = described(
  "How the pixel behaves. Settings you leave out stay the same.",
  SettingsChange,
)

export class NewPixel extends Schema.Opaque<NewPixel>()(
  Schema.Struct({
    domain: described(
      "Host name or URL of the site, at most 255 characters. Stored as the host without `www.`.",
      Domain,
    ),
    name: described("1 to 255 characters. Default: the domain.", Schema.optionalKey(Name)),
    settings: Schema.optionalKey(settings),
  }).annotate({ identifier: "NewPixel" }),
) {}

/** Body of an update request. Omitted fields do not change. */
export class PixelChange extends Schema.Opaque<PixelChange>()(
  Schema.Struct({
    name: described("1 to 255 characters.", Schema.optionalKey(Name)),
    status: described("A paused pixel records nothing.", Schema.optionalKey(PixelStatus)),
    excludedPaths: described(
      "Path prefixes not to record, at most 50. Null clears the list. Cannot be combined with `includedPaths`.",
      Schema.optionalKey(Schema.NullOr(PathPrefixes)),
    ),
    includedPaths: described(
      "Path prefixes to record, at most 50. Nothing else is recorded. Null clears the list. Cannot be combined with `excludedPaths`.",
      Schema.optionalKey(Schema.NullOr(PathPrefixes)),
    ),
    settings: Schema.optionalKey(settings),
  }).annotate({ identifier: "PixelChange" }),
) {}
