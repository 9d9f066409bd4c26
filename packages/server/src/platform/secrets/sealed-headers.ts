// Headers that members give for requests, such as an authorization: their values may be secrets, so they are sealed.
import { Effect } from "effect"
import type { DataKeys } from "./data-keys.ts"
import { seal, type Sealing, unseal } from "./sealing.ts"

type Headers = Readonly<Record<string, string>>

/** Null without headers. */
export const sealHeaders = (
  dataKeys: DataKeys["Service"],
  sealing: Sealing,
  headers: Headers,
): Uint8Array | null =>
  Object.keys(headers).length === 0 ? null : seal(dataKeys, sealing, JSON.stringify(headers))

/** Dies if they can't be decrypted: the same data keys sealed them. */
export const openHeaders = (
  dataKeys: DataKeys["Service"],
  sealing: Sealing,
  sealed: Uint8Array | null,
): Effect.Effect<Headers> =>
  sealed === null
    ? Effect.succeed({})
    : Effect.orDie(
        Effect.map(unseal(dataKeys, sealing, sealed), (text) => JSON.parse(text) as Headers),
      )
