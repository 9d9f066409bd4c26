// Notices to the people who run an organization: mail to its owners and admins, each for themselves, when SMTP
// is configured (spec 8.5). Sent behind the caller's back, after its transaction, and may be lost with
// the process: what must not be lost is in the audit log and in the API as well.
import { Context, Effect, Layer } from "effect"
import { letterBodies } from "../../outbound/mail/letter.ts"
import { Mail } from "../../outbound/mail/mail.ts"
import { MemberStore } from "../members/store.ts"

/** If an organization has more owners and admins, the first to join get the notice. */
export const recipientsMax = 50

export interface Notice {
  readonly subject: string
  /** Paragraphs, an empty line between them. */
  readonly text: string
}

const make = Effect.gen(function* () {
  const mail = yield* Mail
  const store = yield* MemberStore
  return {
    /** Guarantee: never fails, never waits for the mail server. Does nothing without SMTP. */
    send: Effect.fn("Notices.send")(
      function* (organizationId: string, { subject, text }: Notice) {
        if (!mail.isConfigured) return
        const bodies = letterBodies({ paragraphs: text.split("\n\n") })
        for (const to of yield* store.administrators(organizationId, recipientsMax)) {
          yield* mail.post({ to, subject, ...bodies })
        }
      },
      Effect.catchCause((cause) => Effect.logError("notice not sent", cause)),
    ),
  }
})

export class Notices extends Context.Service<Notices, Effect.Success<typeof make>>()(
  "@footfall/server/access/Notices",
) {
  static readonly layer = Layer.effect(Notices, make)
}
