// Sign-in, organizations, members, API keys and imports.
import type { OperationTexts } from "./operation-text.ts"
import { answer, deleted, organizationId, page, userId } from "./sample.ts"

const tokens = answer({
  accessToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwYjZhZDFmZiJ9.Zk3mD4cYQ1n0",
  tokenType: "Bearer",
  expiresIn: 3600,
  refreshToken: "rt_3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0h1m",
})

const organization = {
  id: organizationId,
  name: "Tidewater",
  slug: "tidewater",
  status: "active",
  settings: { excludedIps: ["203.0.113.0/24"], retentionDays: 400 },
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-01T10:00:00.000Z",
}

const member = {
  userId,
  email: "sam@tidewater.example",
  name: "Sam Ortega",
  role: "admin",
  createdAt: "2026-03-01T10:05:00.000Z",
}

const apiKey = {
  id: "4b1d8a52-7f6c-4a3b-9d2e-6c5b4a3f2e1d",
  name: "Production backend",
  prefix: "sk_0123",
  last4: "EDWO",
  createdAt: "2026-03-01T10:10:00.000Z",
  lastUsedAt: "2026-03-11T08:59:30.000Z",
  expiresAt: null,
  revokedAt: null,
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
    responses: { 200: tokens },
  },
  "auth.refresh": {
    summary: "Refresh an access token",
    description:
      "Exchanges a refresh token for new tokens. Each refresh token works once: using it a second time " +
      "ends the session.",
    request: { refreshToken: "rt_3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmYyq0h1m" },
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
  "auth.acceptInvite": {
    summary: "Accept an invitation",
    description:
      "Sets the password of an invited user and signs them in. An invitation works once.",
    request: {
      token: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p",
      password: "correct horse battery",
      name: "Sam Ortega",
    },
    responses: { 200: tokens },
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
    responses: { 201: answer(organization) },
  },
  "organizations.get": {
    summary: "Get an organization",
    description: "Returns the organization's name, status and settings.",
    responses: { 200: answer(organization) },
  },
  "organizations.update": {
    summary: "Update an organization",
    description: "Updates the name or settings. Settings you leave out stay the same.",
    request: { settings: { retentionDays: 400 } },
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
      "Adds a user to the organization. Someone without an account is invited: `inviteToken` is " +
      "returned once, works for 7 days, and is emailed if SMTP is configured.",
    request: { email: "sam@tidewater.example", role: "admin" },
    responses: {
      201: answer({ member, inviteToken: "inv_6w7tq2XcR4uN8dKeAX9sJmYyq0h1m3vJ5l0p" }),
    },
  },
  "organizations.updateMember": {
    summary: "Update a member's role",
    description:
      "Changes a member's role. Only an owner can grant or remove `owner`, and an organization keeps " +
      "at least one owner.",
    request: { role: "admin" },
    responses: { 200: answer(member) },
  },
  "organizations.removeMember": {
    summary: "Remove a member",
    description: "Removes a member from the organization. Their access ends within 5 seconds.",
    responses: { 200: deleted },
  },
  "apiKeys.list": {
    summary: "List API keys",
    description: "Returns the organization's API keys, newest first, including revoked ones.",
    responses: { 200: page([apiKey]) },
  },
  "apiKeys.create": {
    summary: "Create an API key",
    description: "Creates an API key. Store `secret`: the API does not show it again.",
    request: { name: "Production backend" },
    responses: {
      201: answer({ apiKey, secret: "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO" }),
    },
  },
  "apiKeys.revoke": {
    summary: "Revoke an API key",
    description: "Revokes an API key. The server refuses it within 5 seconds.",
    responses: { 200: deleted },
  },
  "imports.run": {
    summary: "Import data",
    description:
      "Imports topics, signals, people or identity links from a stream of NDJSON or CSV, of any size. " +
      "Invalid rows are counted, the first 100 are listed in `rejected`, and the valid rows are imported " +
      "all the same. Safe to repeat: importing the same file again changes nothing.",
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
