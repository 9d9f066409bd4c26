// Notifies the people who run an organization: one email to each owner and admin, if SMTP is configured (spec 8.5).
// Sent in the background after the transaction, and may be lost with the process; anything that must not be lost is
// also in the audit log and the API.
import { Context, Effect, Layer } from "effect"
import { letterBodies } from "../platform/outbound/mail/letter.ts"
import { Mail } from "../platform/outbound/mail/mail.ts"
import { MemberStore } from "./members/store.ts"

/** If an organization has more owners and admins, the earliest members get the notice. */
export const recipientsMax = 50

export interface Notice {
  readonly subject: string
  /** Paragraphs separated by an empty line. */
  readonly text: string
}

const make = Effect.gen(function* () {
  const mail = yield* Mail
  const store = yield* MemberStore
  return {
    /** Guarantee: never fails and never waits for the mail server. Does nothing without SMTP. */
    send: Effect.fn("Notices.send")(
      function* (organizationId: string, { subject, text }: Notice) {
        if (!mail.isConfigured) return
        const bodies = letterBodies({ paragraphs: text.split("\n\n") })
        for (const to of yield* store.administrators(organizationId, recipientsMax)) {
          yield* mail.post({ to, subject, ...bodies })
        }
      },
      Effect.catchCause((cause) => Effect.logError("could not send a notice", cause)),
    ),
  }
})

export class Notices extends Context.Service<Notices, Effect.Success<typeof make>>()(
  "@footfall/server/access/Notices",
) {
  static readonly layer = Layer.effect(Notices, make)
}
