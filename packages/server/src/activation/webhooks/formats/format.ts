// Builds the request body in the webhook's format (spec 14.1).
import type { CanonicalVisitor } from "../../../people/visitors/visitor.ts"
import {
  companyPayloadOf,
  type Envelope,
  type Member,
  memberPayloadOf,
  pagePayloadOf,
  type PageView,
  payloadOf,
  type SentCompany,
} from "../payload.ts"
import type { Format, MessageFormat } from "../webhook.ts"
import { discordDigest, discordNotice } from "./discord.ts"
import { emailDigest, emailNotice } from "./email.ts"
import {
  companyNoticeOf,
  type Digest,
  memberNoticeOf,
  type Notice,
  noticeOf,
  pageNoticeOf,
} from "./notice.ts"
import { slackDigest, slackNotice } from "./slack.ts"
import { teamsDigest, teamsNotice } from "./teams.ts"

const notices: Readonly<Record<MessageFormat, (notice: Notice) => object>> = {
  slack: slackNotice,
  teams: teamsNotice,
  discord: discordNotice,
  email: emailNotice,
}
const digests: Readonly<Record<MessageFormat, (digest: Digest) => object>> = {
  slack: slackDigest,
  teams: teamsDigest,
  discord: discordDigest,
  email: emailDigest,
}

/** The body for one visitor, as one line of JSON. */
export const bodyOf = (
  format: Format,
  envelope: Envelope,
  visitor: CanonicalVisitor,
  consoleUrl: string,
): string =>
  format === "standard"
    ? payloadOf(envelope, visitor)
    : JSON.stringify(notices[format](noticeOf(envelope, visitor, consoleUrl)))

/** The body for one company, as one line of JSON. */ // spec 13.3.5
export const companyBodyOf = (
  format: Format,
  envelope: Envelope,
  company: SentCompany,
  consoleUrl: string,
): string =>
  format === "standard"
    ? companyPayloadOf(envelope, company)
    : JSON.stringify(notices[format](companyNoticeOf(envelope, company, consoleUrl)))

/** The body for one page view, as one line of JSON. */ // spec 8.6.2
export const pageBodyOf = (
  format: Format,
  envelope: Envelope,
  view: PageView,
  consoleUrl: string,
): string =>
  format === "standard"
    ? pagePayloadOf(envelope, view)
    : JSON.stringify(notices[format](pageNoticeOf(envelope, view, consoleUrl)))

/** The body for someone who entered or left a segment, as one line of JSON. */ // spec 8.7
export const memberBodyOf = (
  format: Format,
  envelope: Envelope,
  member: Member,
  consoleUrl: string,
): string =>
  format === "standard"
    ? memberPayloadOf(envelope, member)
    : JSON.stringify(notices[format](memberNoticeOf(envelope, member, consoleUrl)))

export const digestBodyOf = (format: MessageFormat, digest: Digest): string =>
  JSON.stringify(digests[format](digest))
