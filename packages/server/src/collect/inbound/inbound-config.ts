// Environment settings of inbound sources, provided by the server's configuration (spec 1.2).
import { Context } from "effect"

export class InboundConfig extends Context.Service<
  InboundConfig,
  {
    /** INBOUND_PER_MINUTE: requests of a source. */
    readonly perMinute: number
    /** INBOUND_SPOOL_MB, in bytes. */
    readonly spoolBytesMax: number
    /** DATA_DIR. */
    readonly dataDir: string
  }
>()("@footfall/server/inbound/InboundConfig") {}
