// Translates between the wire and the Pixels service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { Caller } from "../access/caller.ts"
import { success } from "../http/envelope.ts"
import { type Pixel, unsetSettings } from "./pixel.ts"
import { Pixels } from "./pixels.ts"
import type { PixelRow } from "./store.ts"

export const PixelsHandlers = HttpApiBuilder.group(
  Api,
  "pixels",
  Effect.fn(function* (handlers) {
    const pixels = yield* Pixels
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        const rows = yield* pixels.list(organizationId)
        return yield* success(rows.map(pixelOf))
      }),
    })
  }),
)

const pixelOf = ({ organizationId: _, settings, ...row }: PixelRow): Pixel => ({
  ...row,
  settings: { ...unsetSettings, ...settings },
})
