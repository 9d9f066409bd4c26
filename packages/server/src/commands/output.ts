// What an operator command prints: its result on standard output, for people or, with `--json`, as
// exactly one JSON document; everything else on standard error.
import { Context, type Effect } from "effect"

export class Output extends Context.Service<
  Output,
  {
    readonly isJson: boolean
    /** Prints the result: `document` with `--json`, else `text`. */
    result(document: object, text: string): Effect.Effect<void>
    /** A remark for people; nothing with `--json`. */
    note(text: string): Effect.Effect<void>
  }
>()("@footfall/server/commands/Output") {}
