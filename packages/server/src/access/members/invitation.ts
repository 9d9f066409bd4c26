// The email with an invitation (spec 5.13). Its token is in no response, so it proves the address.
import { Redacted } from "effect"
import { letterBodies } from "../../platform/outbound/mail/letter.ts"
import type { MailMessage } from "../../platform/outbound/mail/mail.ts"
import type { Role } from "../role.ts"
import { createHash, randomBytes } from "node:crypto"

export const invitationMail = (invitation: {
  readonly email: string
  readonly role: Role
  readonly organizationName: string
  /** `BASE_URL`. */
  readonly baseUrl: string
  /** Whether the console is available to accept it. */
  readonly hasConsole: boolean
  readonly token: Redacted.Redacted
}): MailMessage => {
  const { baseUrl, email, hasConsole, role, token } = invitation
  const name = nameIn(invitation.organizationName)
  const terminal =
    `run\nfootfall accept-invitation --base-url ${baseUrl}\n` +
    `and paste this invitation when asked:\n${Redacted.value(token)}`
  return {
    to: email,
    subject: `Your invitation to ${name}`,
    ...letterBodies({
      paragraphs: [
        `You have been invited to ${name} on Footfall (${baseUrl}) with the role ${role}.`,
        ...(hasConsole ? [] : [`To accept, ${terminal}`]),
        "If you already have an account on this server, enter its password. Otherwise choose one.",
      ],
      ...(hasConsole && {
        link: {
          label: "Accept the invitation",
          // Browsers send nothing after `#` to the server.
          url: `${baseUrl}/console/invitation#${Redacted.value(token)}`,
        },
      }),
      closing: `The invitation works once and expires in ${inviteLifetimeDays} days. If you were not expecting it, ignore this email.${hasConsole ? `\n\nIf you use a terminal, you can ${terminal}` : ""}`,
    }),
  }
}

/**
 * Any user may choose the name and the address, so the mail shows no link, address or encoded word (RFC 2047) of theirs
 * as if it came from the operator.
 */
const nameIn = (name: string): string => {
  const words = name
    .replaceAll(/[=?]{2,}/g, (run) => (run.includes("=?") ? "" : run))
    .split(/\s+/)
    .filter((word) => !/[@/\\:]|\p{L}[.\u3002\uff0e\uff61]\p{L}|\d\.\d+\.\d/u.test(word))
  return words.join(" ").trim() || "an organization"
}

// An invitation's token: `inv_` and 32 random bytes in base64url, shown once. Only its SHA-256 is stored (spec 5.13).
/** How long an invitation is valid. */ // spec 5.13
export const inviteLifetimeDays = 7

export const makeInviteToken = (): Redacted.Redacted =>
  Redacted.make(`inv_${randomBytes(32).toString("base64url")}`)

export const inviteTokenDigest = (token: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(token)).digest()
