// A signed link to download a file without credentials (spec 5.9, 10.3). It names one export and an expiry and can't be
// forged. Checking it needs no database.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { AccessConfig } from "../../../access/access-config.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"

// spec 5.9
export const linkLifetimeSeconds = 86_400

/** The link has expired or was not created by this server. */
export class LinkRefused extends Schema.TaggedError<LinkRefused>()("LinkRefused", {
  reason: Schema.Literals(["expired", "signature"]),
}) {}

export interface DownloadLink {
  readonly url: string
  readonly expiresAt: DateTime.Utc
}

/** As found in the request; missing parts are undefined. */
export interface LinkParts {
  readonly exportId: string
  /** Unix seconds. */
  readonly expires: string | undefined
  readonly signature: string | undefined
}

export class ExportLinks extends Context.Service<
  ExportLinks,
  {
    /** A link valid from now. */
    make(exportId: string): Effect.Effect<DownloadLink>
    /** Fails with LinkRefused. Links signed with any value of FOOTFALL_SECRET are valid. */
    check(link: LinkParts): Effect.Effect<void, LinkRefused>
  }
>()("@footfall/server/runs/ExportLinks") {
  static readonly layer = Layer.effect(
    ExportLinks,
    Effect.gen(function* () {
      const { baseUrl } = yield* AccessConfig
      const secrets = yield* Secrets

      return ExportLinks.of({
        make: Effect.fnUntraced(function* (exportId) {
          const now = yield* DateTime.now
          const expires = Math.floor(DateTime.toEpochMillis(now) / 1000) + linkLifetimeSeconds
          const text = signedText(exportId, String(expires))
          const signature = secrets.sign("export-link", text).toString("base64url")
          return {
            url: `${baseUrl}/v1/intent/exports/${exportId}/download?expires=${expires}&signature=${signature}`,
            expiresAt: DateTime.makeUnsafe(expires * 1000),
          }
        }),
        check: Effect.fnUntraced(function* ({ expires = "", exportId, signature = "" }) {
          const text = signedText(exportId, expires)
          // Another spelling of the same bytes is another signature.
          const bytes = Buffer.from(signature, "base64url")
          const isOurs =
            bytes.toString("base64url") === signature && secrets.verify("export-link", text, bytes)
          if (!isOurs) return yield* new LinkRefused({ reason: "signature" })
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          if (now >= Number(expires) * 1000) return yield* new LinkRefused({ reason: "expired" })
        }),
      })
    }),
  )
}

const signedText = (exportId: string, expires: string): string =>
  `${exportId.toLowerCase()}.${expires}`
