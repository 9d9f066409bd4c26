// What the documents say about the fields of sign-in, organizations, keys and the account.
import type { FieldTexts } from "../operation-text.ts"

export const accessFields: FieldTexts = {
  Deleted: {
    "data.deleted": "Always `true`.",
  },
  AuditEntry: {
    id: "Id of the audit entry.",
    at: "When it happened.",
    actor: "Who did it.",
    "actor.type": "Who it was: an API key, a user, the operator, or the server itself.",
    "actor.id": "Id of the user or key; null for the operator and the server.",
    "actor.name":
      "A member's email address or an API key's name; null for the operator and the server, and if that user or key no longer exists.",
    action: "The resource and the action, such as `member.added`. More may be added within /v1.",
    targetId: "Id of the changed object; null if it is the organization itself.",
    requestId: "Id of the request that caused the change; null if none did.",
  },
  CreatedApiKey: {
    "data.apiKey": "The key, without its secret.",
    "data.secret": "`sk_` and 43 characters; shown only once.",
  },
  ApiKey: {
    id: "Id of the API key.",
    name: "Name of the key, 1 to 100 characters.",
    prefix: "`sk_` and the next 4 characters.",
    last4: "Last four characters of the secret.",
    createdAt: "When the API key was created.",
    lastUsedAt: "When it was last used; null if never.",
    expiresAt: "When the key stops working; null if it never expires.",
    revokedAt: "When the key was revoked; null if it is valid.",
  },
  Member: {
    userId: "Id of the user.",
    email: "Address of the user.",
    name: "Name of the user; null before they accept.",
    role: "What the member may do.",
    status:
      "`pending` until the person accepts the invitation. Until then they have no access and no name.",
    createdAt: "When the member was created.",
  },
  AddedMember: {
    "data.member": "The member.",
    "data.inviteToken": "Accepts the invitation. Shown only once, valid for 7 days.",
    "data.emailSent": "Whether the server emails the invitation to them.",
  },
  Organization: {
    id: "Id of the organization.",
    name: "Name of the organization, 1 to 160 characters.",
    slug: "Short name of the organization, 3 to 63 characters: `a-z`, `0-9` and hyphen. Unique on the server.",
    status: "`suspended` or `expired`: most requests return 403.",
    timeZone: "IANA time zone whose days the organization counts in, such as `Europe/Berlin`.",
    settings: "What the organization has set.",
    "settings.excludedIps":
      "Networks whose visits are not recorded, in CIDR notation. At most 200.",
    "settings.retentionDays":
      "Days to keep sessions and events, 30 to 3650; null keeps them forever.",
    createdAt: "When the organization was created.",
    updatedAt: "When the organization was last changed.",
  },
  PasswordReset: {
    "data.changed": "Always `true`.",
    "data.invitationsSent":
      "Number of invitations that were emailed. The user must join these organizations again, because the email address had never been verified.",
  },
  PasswordResetRequested: {
    "data.requested": "Always `true`, whether or not an account has the address.",
  },
  PasswordChanged: {
    "data.changed": "Always `true`.",
  },
  Tokens: {
    accessToken: "A JWT.",
    tokenType: "Always `Bearer`.",
    expiresIn: "Lifetime of the access token in seconds: 3600.",
    refreshToken: "Valid for 30 days and one refresh. Using it twice ends the session.",
  },
  DeviceLoginStarted: {
    deviceCode: "Send it to `/v1/auth/device/tokens`. Keep it secret.",
    userCode: "Show it to the user, for example `WDJB-MJHT`.",
    verificationUri: "Where the user enters the code.",
    verificationUriComplete: "The same URL, with the code included.",
    expiresIn: "Seconds until the login expires: 600.",
    interval: "Seconds to wait between requests for its tokens.",
  },
  DeviceLoginDecided: {
    "data.approved": "Whether the login was approved.",
  },
  DeviceLogin: {
    clientName: "The name the client gave itself.",
    clientAddress: "Address that the login came from.",
    expiresAt: "Until when it can be approved.",
  },
  Invitation: {
    organization: "The organization that invites.",
    "organization.name": "Name of the organization.",
    email: "The address of the user who was invited. They sign in with it.",
    role: "The role they will have.",
  },
  LoggedOut: {
    "data.loggedOut": "Always `true`.",
  },
  SessionToken: {
    accessToken: "A JWT.",
    tokenType: "Always `Bearer`.",
    expiresIn: "Lifetime of the access token in seconds: 3600.",
  },
  SessionsEnded: {
    "data.ended": "How many sessions ended.",
  },
  SessionDeleted: {
    "data.deleted": "Always `true`.",
  },
  UserSession: {
    id: "Id of the session.",
    isCurrent: "Whether this is the session of the access token.",
    isConsole: "True for a console session, false for a terminal or a program.",
    userAgent: "The client's user agent at sign-in.",
    createdAt: "When the session was created.",
    lastUsedAt: "When the session was last renewed.",
    expiresAt: "When the session ends, unless it is renewed before.",
  },
  JoinedAnswer: {
    "data.id": "Id of the organization.",
    "data.name": "Name of the organization.",
    "data.slug": "Short name of the organization, for addresses.",
    "data.role": "Your role in it.",
  },
  Me: {
    user: "You.",
    organization: "The token's organization.",
    role: "The user's role in it.",
    organizations: "All organizations of the user.",
    "organizations.id": "Id of the organization.",
    "organizations.name": "Name of the organization.",
    "organizations.slug": "Short name of the organization.",
    "organizations.role": "Your role in it.",
  },
  User: {
    id: "Id of the user.",
    email: "Address of the user.",
    name: "Name of the user; null before an invitation is accepted.",
  },
  AccountStatus: {
    healthy: "True when active or on trial, with credits left.",
    organization: "The organization.",
    "organization.id": "Id of the organization.",
    "organization.slug": "Short name of the organization.",
    "organization.name": "Name of the organization.",
    "organization.status": "Status of the organization.",
    credits: "Credits of this month.",
    "credits.used": "Credits used this month.",
    "credits.limit": "Credits of a month; null if unlimited.",
    "credits.remaining": "Credits left this month; null if unlimited.",
    "credits.resetsAt": "Start of the next month; null if unlimited.",
    "credits.heldBack": "Identified people who are waiting for a credit. They appear in no list.",
    pixels: "Pixels that have not been deleted.",
    "pixels.total": "Pixels that are not deleted.",
    "pixels.active": "Pixels that record visits.",
    "pixels.paused": "Pixels that are paused.",
    intent: "What the organization may use of audiences.",
    "intent.enabled": "Whether it may use audiences.",
    "intent.slots": "Slots for active audiences. Limit and remaining are null if unlimited.",
    "intent.slots.used": "Slots in use.",
    "intent.slots.limit": "Slots there are; null if unlimited.",
    "intent.slots.remaining": "Slots left; null if unlimited.",
    "intent.oneShotEligible": "Whether it may create audiences that run once.",
    "intent.dataDate": "Date of the latest signals, YYYY-MM-DD; null if there are none.",
  },
}
