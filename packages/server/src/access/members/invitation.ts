// The mail that brings a new user its invitation (spec 5.13). The token is in it, as it is in the
// answer to whoever added the member.
import { Redacted } from "effect"
import { letterBodies } from "../../outbound/mail/letter.ts"
import type { MailMessage } from "../../outbound/mail/mail.ts"
import type { Role } from "../role.ts"
import { createHash, randomBytes } from "node:crypto"

export const invitationMail = (invitation: {
  readonly email: string
  readonly role: Role
  readonly organizationName: string
  /** `BASE_URL`. */
  readonly baseUrl: string
  readonly token: Redacted.Redacted
}): MailMessage => {
  const { baseUrl, email, role, token } = invitation
  const name = invitation.organizationName.replaceAll(/\s+/g, " ")
  return {
    to: email,
    subject: `Your invitation to ${name}`,
    ...letterBodies({
      paragraphs: [
        `You are ${role} of ${name} on Footfall at ${baseUrl}.`,
        `To choose a password, run\nfootfall accept-invitation --base-url ${baseUrl}`,
        `and give this invitation when you are asked for it:\n${Redacted.value(token)}`,
      ],
      closing: `It works once, for ${inviteLifetimeDays} days. If you do not know what this is about, leave it alone.`,
    }),
  }
}

// The token of an invitation: `inv_` and 32 random bytes in base64url, shown once. Only its SHA-256
// is stored (spec 5.13).
/** Validity of an invitation. */ // spec 5.13
export const inviteLifetimeDays = 7

export const makeInviteToken = (): Redacted.Redacted =>
  Redacted.make(`inv_${randomBytes(32).toString("base64url")}`)

export const inviteTokenDigest = (token: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(token)).digest()
