// What the environment decides about collecting; the server's configuration provides it
// (spec 1.2).
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
    /** Under which the rate counters name an address; the same in every process of a server. */
    readonly addressKey: Redacted.Redacted<Uint8Array>
    /** Whether resolvers ask for it; else a user agent is looked at and let go. */
    readonly keepsUserAgent: boolean
    /** Of every value of FOOTFALL_SECRET; each reads the tokens of mail links it has made. */
    readonly linkTokenKeys: ReadonlyArray<KeyObject>
  }
>()("@footfall/server/visits/CollectConfig") {}

/** GEO_COUNTRY_HEADER: the header, in lower case, in which a trusted proxy names the country. */
export const GeoCountryHeader = Context.Reference<string | undefined>(
  "@footfall/server/visits/GeoCountryHeader",
  { defaultValue: () => undefined },
)
