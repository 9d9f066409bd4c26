// Emails about passwords: the reset link, and the notice of a change.
import { Redacted } from "effect"
import { letterBodies } from "../../../outbound/mail/letter.ts"
import type { MailMessage } from "../../../outbound/mail/mail.ts"
import { resetMinutes } from "./store.ts"

interface Addressed {
  readonly email: string
  /** `BASE_URL`. */
  readonly baseUrl: string
}

export const resetMail = ({
  baseUrl,
  email,
  token,
}: Addressed & { readonly token: Redacted.Redacted }): MailMessage => ({
  to: email,
  subject: "Set a new password for Footfall",
  ...letterBodies({
    paragraphs: [
      `Someone asked to set a new password for ${email} on Footfall at ${baseUrl}.`,
      "If it was you, open the link and choose one. It signs you out everywhere.",
    ],
    // Browsers send nothing after `#` to the server.
    link: {
      label: "Choose a new password",
      url: `${baseUrl}/console/reset#${Redacted.value(token)}`,
    },
    closing: `The link works once, for ${resetMinutes} minutes. If you did not ask for it, ignore it: nothing changes.`,
  }),
})

export const changedMail = ({ baseUrl, email }: Addressed): MailMessage => ({
  to: email,
  subject: "Your Footfall password was changed",
  ...letterBodies({
    paragraphs: [
      `The password of ${email} on Footfall at ${baseUrl} was changed, and other sessions were ended.`,
      "If it was not you, set another one at once: open the console, choose Forgot your password, and tell an admin of your organization.",
    ],
  }),
})
