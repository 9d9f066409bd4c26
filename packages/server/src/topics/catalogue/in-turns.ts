// Goes over many items without holding up other requests: they have their turn after some hundred items.
import { Effect } from "effect"

/** Items of a turn: about a millisecond of work. */
const turnSize = 200

export const inTurns = Effect.fnUntraced(function* <Item>(
  items: ReadonlyArray<Item>,
  each: (item: Item, place: number) => void,
) {
  for (const [place, item] of items.entries()) {
    each(item, place)
    if (place % turnSize === turnSize - 1) yield* Effect.yieldNow
  }
})
