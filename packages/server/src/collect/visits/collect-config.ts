// Environment settings for collecting events, provided by the server's configuration (spec 1.2).
import { Context, type Redacted } from "effect"
import type { KeyObject } from "node:crypto"
import type { GpcMode } from "./consent.ts"

export class CollectConfig extends Context.Service<
  CollectConfig,
  {
    /** GPC_MODE. */
    readonly gpcMode: GpcMode
    /** STORE_IP. */
    readonly storeIp: "truncated" | "full"
    /** The key that hides addresses in rate counters; the same in every process of a server. */
    readonly addressKey: Redacted.Redacted<Uint8Array>
    /** Whether resolvers need the user agent; otherwise it is only inspected, not stored. */
    readonly keepsUserAgent: boolean
    /** One per value of FOOTFALL_SECRET; each reads the mail link tokens it created. */
    readonly linkTokenKeys: ReadonlyArray<KeyObject>
  }
>()("@footfall/server/visits/CollectConfig") {}

/** GEO_COUNTRY_HEADER: the header, in lower case, in which a trusted proxy sends the country. */
export const GeoCountryHeader = Context.Reference<string | undefined>(
  "@footfall/server/visits/GeoCountryHeader",
  { defaultValue: () => undefined },
)
