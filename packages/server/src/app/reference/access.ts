// Sign-in, organizations, members, API keys and imports.
import type { OperationTexts } from "./operation-text.ts"
import { answer, deleted, organizationId, page, userId } from "./sample.ts"

const tokens = answer({
  accessToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwYjZhZDFmZiJ9.Zk3mD4cYQ1n0",
  tokenType: "Bearer",
  expiresIn: 3600,
  refreshToken: "rt_3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0h1m",
})

const sessionToken = answer({
  accessToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwYjZhZDFmZiJ9.Zk3mD4cYQ1n0",
  tokenType: "Bearer",
  expiresIn: 3600,
})

const organization = {
  id: organizationId,
  name: "Tidewater",
  slug: "tidewater",
  status: "active",
  timeZone: "Europe/Berlin",
  settings: { excludedIps: ["203.0.113.0/24"], retentionDays: 400 },
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-01T10:00:00.000Z",
}

const member = {
  userId,
  email: "sam@tidewater.example",
  name: "Sam Ortega",
  role: "admin",
  status: "active",
  createdAt: "2026-03-01T10:05:00.000Z",
}

const invited = answer({
  member: { ...member, name: null, status: "pending" },
  inviteToken: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p",
  emailSent: true,
})

const apiKey = {
  id: "4b1d8a52-7f6c-4a3b-9d2e-6c5b4a3f2e1d",
  name: "Suppression job",
  prefix: "sk_0123",
  last4: "EDWO",
  createdAt: "2026-03-01T10:10:00.000Z",
  lastUsedAt: "2026-03-11T08:59:30.000Z",
  lastUsedFrom: "203.0.113.0",
  expiresAt: null,
  revokedAt: null,
  scopes: ["suppression:read", "suppression:write"],
  pixelIds: null,
  allowedNetworks: ["203.0.113.0/24"],
}

const people = [
  '{"email":"jane.mercer@harbor-logistics.example","firstName":"Jane","lastName":"Mercer"}',
  '{"email":"omar@quayline.example","firstName":"Omar","lastName":"Haddad"}',
]

export const access: OperationTexts = {
  "auth.login": {
    summary: "Sign in",
    description:
      "Exchanges an email address and a password for an access token and a refresh token. The access " +
      "token works for one hour.",
    request: { email: "sam@tidewater.example", password: "correct horse battery" },
    errors: { 401: "wrong email or password", 429: "5 attempts a minute per account" },
    responses: { 200: tokens },
  },
  "auth.refresh": {
    summary: "Refresh an access token",
    description:
      "Exchanges a refresh token for new tokens. Each refresh token works once: using it a second time " +
      "ends the session.",
    request: { refreshToken: "rt_3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0h1m" },
    errors: { 401: "the token is unknown, used or expired" },
    responses: { 200: tokens },
  },
  "auth.logout": {
    summary: "Sign out",
    description:
      "Ends the session of a refresh token. Without one, ends every session of the user.",
    request: { refreshToken: "rt_3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0h1m" },
    responses: { 200: answer({ loggedOut: true }) },
  },
  "auth.me": {
    summary: "Get the signed-in user",
    description:
      "Returns the user, the organization and role of the access token, and every organization the " +
      "user belongs to.",
    responses: {
      200: answer({
        user: { id: userId, email: member.email, name: member.name },
        organization,
        role: "admin",
        organizations: [
          { id: organizationId, name: "Tidewater", slug: "tidewater", role: "admin" },
        ],
      }),
    },
  },
  "auth.startSession": {
    summary: "Sign in to the console",
    description:
      "Exchanges an email address and a password for an access token. The server sets the " +
      "refresh token as a cookie that scripts cannot read. Only pages of this server can call " +
      "it.",
    request: { email: "sam@tidewater.example", password: "correct horse battery" },
    errors: {
      401: "wrong email or password",
      403: "a page of another site sent it",
      429: "5 attempts a minute per account",
    },
    responses: { 200: sessionToken },
  },
  "auth.refreshSession": {
    summary: "Refresh a session of the console",
    description:
      "Returns a new access token for the session in the cookie, and replaces the cookie. Do " +
      "not call it in parallel: using a refresh token twice ends the session, except within ten " +
      "seconds. If the user is not a member of the organization, returns 403 and the session " +
      "continues.",
    request: {},
    errors: { 401: "the session has ended", 403: "the user is not a member of the organization" },
    responses: { 200: sessionToken },
  },
  "auth.endSession": {
    summary: "Sign out of the console",
    description: "Ends the session in the cookie and deletes the cookie.",
    responses: { 200: answer({ loggedOut: true }) },
  },
  "auth.invitation": {
    summary: "Get an invitation",
    description:
      "Returns the organization, the email address and the role of an open invitation. It stays open.",
    request: { token: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p" },
    errors: { 401: "the token is unknown, used or expired" },
    responses: {
      200: answer({
        organization: { name: "Tidewater" },
        email: "sam@tidewater.example",
        role: "admin",
      }),
    },
  },
  "auth.acceptInvite": {
    summary: "Accept an invitation",
    description:
      "Accepts an invitation to one organization and signs in to it. A new user chooses a " +
      "password; a user who has an account gives its password. An invitation works once. The " +
      "emailed token also verifies the email address. If the account's address was never " +
      "verified, its owner sets a new password with that token, which ends all of the account's " +
      "sessions.",
    request: {
      token: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p",
      password: "correct horse battery",
      name: "Sam Ortega",
    },
    errors: { 401: "the token is unknown, used or expired, or the password is wrong" },
    responses: { 200: tokens },
  },
  "auth.sessions": {
    summary: "List your sessions",
    description: "Returns where you are signed in, most recently used first.",
    responses: {
      200: answer([
        {
          id: "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0d9e",
          isCurrent: true,
          isConsole: true,
          userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
          createdAt: "2026-03-10T08:00:00.000Z",
          lastUsedAt: "2026-03-11T09:00:00.000Z",
          expiresAt: "2026-04-10T09:00:00.000Z",
        },
      ]),
    },
  },
  "auth.endOne": {
    summary: "End a session",
    description:
      "Ends one of your sessions. It can no longer be refreshed, but its access token works " +
      "until it expires, at most an hour later.",
    responses: { 200: answer({ deleted: true }) },
  },
  "auth.endOthers": {
    summary: "End your other sessions",
    description: "Ends all of your sessions except the current one.",
    responses: { 200: answer({ ended: 2 }) },
  },
  "auth.join": {
    summary: "Join an organization",
    description:
      "Accepts an invitation as the signed-in user. To use the organization, sign in or refresh with its id.",
    request: { token: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p" },
    errors: { 404: "the invitation is unknown, used, expired or for another user" },
    responses: {
      200: answer({
        id: organizationId,
        name: "Tidewater",
        slug: "tidewater",
        role: "admin",
      }),
    },
  },
  "deviceLogins.start": {
    summary: "Start a device sign-in",
    description:
      "Starts signing in a terminal or another client that has no browser, as RFC 8628 describes. Show the " +
      "user `userCode` and `verificationUri`, and poll for the tokens every `interval` seconds. The request " +
      "expires after 10 minutes. A server without the console returns 403.",
    request: { clientName: "footfall on lee-laptop" },
    errors: { 403: "the server has no console" },
    responses: {
      200: answer({
        deviceCode: "dev_u2Qm7yT4kX0vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0",
        userCode: "WDJB-MJHT",
        verificationUri: "https://footfall.example.com/console/device",
        verificationUriComplete: "https://footfall.example.com/console/device#WDJB-MJHT",
        expiresIn: 600,
        interval: 5,
      }),
    },
  },
  "deviceLogins.token": {
    summary: "Get the tokens of a device sign-in",
    description:
      "Returns the tokens once, after the user approves. Until then, returns 400 with " +
      "`details.reason`: `authorization_pending` (poll again), `slow_down` (add 5 seconds to " +
      "your polling interval), `access_denied` or `expired_token` (start another sign-in).",
    request: { deviceCode: "dev_u2Qm7yT4kX0vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0" },
    errors: {
      400: "`details.reason` is `authorization_pending`, `slow_down`, `access_denied` or `expired_token`",
    },
    responses: { 200: tokens },
  },
  "deviceLogins.get": {
    summary: "Get a device sign-in",
    description:
      "Returns the client that is waiting to sign in with a code, so that the user can check " +
      "that it is theirs. Finds only sign-ins that are waiting for a decision.",
    responses: {
      200: answer({
        clientName: "footfall on lee-laptop",
        clientAddress: "203.0.113.7",
        expiresAt: "2026-03-11T09:10:00.000Z",
      }),
    },
  },
  "deviceLogins.approve": {
    summary: "Approve or deny a device sign-in",
    description:
      "Signs in the terminal with this code as the signed-in user, in the organization of the " +
      "access token, or denies it. Each code can be approved or denied once.",
    request: { userCode: "WDJB-MJHT", approve: true },
    errors: {
      404: "the code is unknown, expired or already decided",
      429: "5 unknown codes a minute",
    },
    responses: { 200: answer({ approved: true }) },
  },
  "passwords.change": {
    summary: "Change your password",
    description:
      "Changes the password of the signed-in user. Ends every other session. Every access " +
      "token, including this one, stops working within 5 seconds, so refresh yours. A wrong " +
      "current password returns 400 with `details.reason` `wrong_password`.",
    request: {
      currentPassword: "correct horse battery",
      newPassword: "a longer horse battery",
    },
    errors: { 400: "`details.reason` is `wrong_password`" },
    responses: { 200: answer({ changed: true }) },
  },
  "passwords.requestReset": {
    summary: "Request a password reset",
    description:
      "Emails a link to set a new password. The response is the same whether or not the address has an " +
      "account. A server without SMTP returns 403 with `details.reason` `mail_not_configured`.",
    request: { email: "sam@tidewater.example" },
    errors: { 403: "`details.reason` is `mail_not_configured`" },
    responses: { 200: answer({ requested: true }) },
  },
  "passwords.reset": {
    summary: "Reset a password",
    description:
      "Sets a new password with an emailed token and ends every session of the user. The token " +
      "works once, for one hour. If the email address was never verified before, the user has " +
      "to accept the invitations of their organizations again. `invitationsSent` is how many " +
      "were emailed.",
    request: {
      token: "pwr_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0pKx2mQ4u",
      newPassword: "a longer horse battery",
    },
    errors: { 401: "the token is unknown, used or expired" },
    responses: { 200: answer({ changed: true, invitationsSent: 0 }) },
  },
  "organizations.list": {
    summary: "List organizations",
    description: "Returns the organizations the signed-in user belongs to, newest first.",
    responses: { 200: page([organization]) },
  },
  "organizations.create": {
    summary: "Create an organization",
    description: "Creates an organization. The signed-in user becomes its owner.",
    request: { name: "Tidewater", slug: "tidewater" },
    errors: { 409: "the slug is already in use" },
    responses: { 201: answer(organization) },
  },
  "organizations.get": {
    summary: "Get an organization",
    description: "Returns the organization's name, status and settings.",
    errors: { 404: "the id is not that of the token's organization" },
    responses: { 200: answer(organization) },
  },
  "organizations.update": {
    summary: "Update an organization",
    description: "Updates the name, time zone or settings. What you leave out stays the same.",
    request: { timeZone: "Europe/Berlin", settings: { retentionDays: 400 } },
    responses: { 200: answer(organization) },
  },
  "organizations.listMembers": {
    summary: "List members",
    description: "Returns the members of the organization, newest first.",
    responses: { 200: page([member]) },
  },
  "organizations.addMember": {
    summary: "Add a member",
    description:
      "Invites a person to the organization. The member is `pending` and has no access until the person " +
      "accepts the invitation. `inviteToken` is returned once and works for 7 days. If SMTP is " +
      "configured, another token is emailed to the person, and `emailSent` is true.",
    request: { email: "sam@tidewater.example", role: "admin" },
    errors: { 409: "the person is already a member or invited", 429: "200 invitations a day" },
    responses: { 201: invited },
  },
  "organizations.inviteMember": {
    summary: "Invite a member again",
    description:
      "Creates another invitation for a pending member, for example because the first one has " +
      "expired. Earlier invitations of this member to the organization stop working. The email and " +
      "the daily limit are as for a new member.",
    errors: { 409: "the member has already accepted", 429: "200 invitations a day" },
    responses: { 201: invited },
  },
  "organizations.updateMember": {
    summary: "Update a member's role",
    description:
      "Changes a member's role. Only an owner can grant or remove `owner`, and an organization keeps " +
      "at least one owner.",
    request: { role: "admin" },
    errors: { 409: "the last owner" },
    responses: { 200: answer(member) },
  },
  "organizations.removeMember": {
    summary: "Remove a member",
    description: "Removes a member from the organization. Their access ends within 5 seconds.",
    errors: { 409: "the last owner" },
    responses: { 200: deleted },
  },
  "apiKeys.list": {
    summary: "List API keys",
    description: "Returns the organization's API keys, newest first, including revoked ones.",
    responses: { 200: page([apiKey]) },
  },
  "apiKeys.create": {
    summary: "Create an API key",
    description:
      "Creates an API key. Store `secret`: the API does not show it again. Without `scopes`, the " +
      "key may do everything that a member may. Each operation names the scope that it needs as " +
      "`x-scope`. A key with `pixelIds` sees only the visitors of those sites.",
    request: {
      name: "Suppression job",
      scopes: ["suppression:read", "suppression:write"],
      allowedNetworks: ["203.0.113.0/24"],
    },
    responses: {
      201: answer({ apiKey, secret: "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO" }),
    },
  },
  "apiKeys.revoke": {
    summary: "Revoke an API key",
    description: "Revokes an API key. The server refuses it within 5 seconds.",
    responses: { 200: deleted },
  },
  "auditLog.list": {
    summary: "List the audit log",
    description:
      "Returns who changed what in the organization, newest first. Entries contain ids, never values.",
    responses: {
      200: answer(
        [
          {
            id: "1204",
            at: "2026-03-11T08:58:12.000Z",
            actor: { type: "user", id: userId, name: member.email },
            action: "member.added",
            targetId: "7d1c2f3a-9a4b-4a55-8c51-2f0b1f4e6a77",
            requestId: "req_rtjpiop3f24wzahlzbcsj2b7co",
          },
        ],
        { limit: 50, hasMore: false, nextCursor: null },
      ),
    },
  },
  "imports.run": {
    summary: "Import data",
    description:
      "Imports topics, signals, people or identity links from a stream of NDJSON or CSV, of any " +
      "size. Imports the valid rows, counts the invalid ones, and lists the first 100 of those " +
      "in `rejected`. Safe to repeat: importing the same file again changes nothing.",
    request: {
      "application/x-ndjson": `${people.join("\n")}\n`,
      "text/csv":
        "email,firstName,lastName\njane.mercer@harbor-logistics.example,Jane,Mercer\nomar@quayline.example,Omar,Haddad\n",
    },
    responses: {
      200: answer({
        kind: "people",
        received: 2,
        inserted: 1,
        updated: 0,
        unchanged: 0,
        rejectedCount: 1,
        rejected: [{ row: 2, field: "email", reason: "invalid_value" }],
      }),
    },
  },
}
