// What an operator command prints: its result on standard output, as text or, with `--json`, as exactly one JSON
// document; everything else on standard error.
import { Context, type Effect } from "effect"

export class Output extends Context.Service<
  Output,
  {
    readonly isJson: boolean
    /** Prints the result: `document` with `--json`, otherwise `text`. */
    result(document: object, text: string): Effect.Effect<void>
    /** Prints a remark for people; nothing with `--json`. */
    note(text: string): Effect.Effect<void>
  }
>()("@footfall/server/commands/Output") {}
