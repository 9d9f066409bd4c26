// What an organization uses of its intent access. Rooms after this one know it, and the join asks them
// (spec 2.5).
import { Context, type Effect } from "effect"

export class IntentUse extends Context.Service<
  IntentUse,
  {
    /** Active audiences that take a slot; and the data date, `YYYY-MM-DD`, null without any signals. */
    of(
      organizationId: string,
    ): Effect.Effect<{ readonly slotsUsed: number; readonly dataDate: string | null }>
  }
>()("@footfall/server/account/IntentUse") {}
