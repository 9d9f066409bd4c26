// The collect path without HTTP: one body in, one outcome out, for every adapter the same. A batch is
// acknowledged only after its commit. The method returns a promise and starts no fiber of its own:
// the typed layers cost about 30 microseconds a request, and this is the one path where they show
// (performance.md, 1 and 2).
import { Context } from "effect"
import type { CollectPixel } from "./collect-pixel.ts"

/** Why a batch was dropped on purpose; the answer of the pixel host never tells. */
export type DropReason =
  | "pixel_unknown"
  | "pixel_inactive"
  | "unreadable"
  | "consent"
  | "bot"
  | "address_excluded"
  | "domain_mismatch"
  | "path_excluded"
  | "no_valid_event"
  | "above_rate"

export type CollectOutcome =
  | { readonly outcome: "stored" }
  | { readonly outcome: "dropped"; readonly reason: DropReason }
  | { readonly outcome: "unavailable"; readonly retryAfterSeconds: number }

/** One request to `POST /p/{pixelId}/e`, after the size limit of 64 KiB. */
export interface CollectInput {
  /** Undefined when no pixel has the id, or it is deleted. */
  readonly pixel: CollectPixel | undefined
  readonly body: Uint8Array
  readonly userAgent: string | undefined
  /** The request header `Sec-GPC`, as received. */
  readonly secGpc: string | undefined
  /** The visitor's address after trusted proxies; undefined when nothing is known of it. */
  readonly clientAddress: string | undefined
  /** ISO 3166-1 alpha-2, from the header named by GEO_COUNTRY_HEADER. */
  readonly country: string | undefined
  /** Epoch milliseconds of the server clock. */
  readonly receivedAt: number
}

export class Collect extends Context.Service<
  Collect,
  {
    /**
     * Takes one batch. Never rejects. Guarantee: "stored" means committed; an event id that was
     * stored before is not stored again. Source: decisions.md 6.3.
     */
    collect(input: CollectInput): Promise<CollectOutcome>
  }
>()("@footfall/server/visits/Collect") {}
