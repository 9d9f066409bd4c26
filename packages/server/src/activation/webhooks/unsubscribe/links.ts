// The signed link with which a recipient stops the emails of one webhook, without signing in (spec 14.5). It names the
// webhook and the recipient, can't be forged, and doesn't expire, because old emails have it too.
import { Context, Effect, Layer } from "effect"
import { AccessConfig } from "../../../access/access-config.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"

export interface Recipient {
  readonly organizationId: string
  readonly webhookId: string
  readonly userId: string
}

export const unsubscribePath = "/unsubscribe"

export class UnsubscribeLinks extends Context.Service<
  UnsubscribeLinks,
  {
    of(recipient: Recipient): string
    /** Undefined if this server did not make it. Links signed with any value of FOOTFALL_SECRET are valid. */
    read(token: string): Recipient | undefined
  }
>()("@footfall/server/webhooks/UnsubscribeLinks") {
  static readonly layer = Layer.effect(
    UnsubscribeLinks,
    Effect.gen(function* () {
      const { baseUrl } = yield* AccessConfig
      const secrets = yield* Secrets
      return UnsubscribeLinks.of({
        of: ({ organizationId, userId, webhookId }) => {
          const named = Buffer.from(
            [organizationId, webhookId, userId].map(bytesOf).join(""),
            "hex",
          )
          const signature = secrets.sign("unsubscribe", named.toString("hex"))
          const token = Buffer.concat([named, signature]).toString("base64url")
          return `${baseUrl}${unsubscribePath}?token=${token}`
        },
        read: (token) => {
          const bytes = Buffer.from(token, "base64url")
          const named = bytes.subarray(0, namedBytes).toString("hex")
          // Another spelling of the same bytes is another token.
          const isOurs =
            bytes.toString("base64url") === token &&
            secrets.verify("unsubscribe", named, bytes.subarray(namedBytes))
          if (!isOurs) return undefined
          return {
            organizationId: uuidOf(named.slice(0, 32)),
            webhookId: uuidOf(named.slice(32, 64)),
            userId: uuidOf(named.slice(64)),
          }
        },
      })
    }),
  )
}

/** Three ids. */
const namedBytes = 3 * 16

const bytesOf = (id: string): string => id.replaceAll("-", "").toLowerCase()

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
