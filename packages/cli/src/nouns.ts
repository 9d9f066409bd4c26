// The top-level commands: each has a name and one sentence. A command's module is loaded when the command runs, so this
// file imports none of them.

import type { Defined } from "./command/define.ts"

/** A top-level command. */
export interface Noun {
  readonly name: string
  /** Another name that works but is not listed. */
  readonly alias?: string
  /** One sentence for the program's help. */
  readonly description: string
  /** The command itself, or the commands of the group. */
  readonly load: () => Promise<Defined | ReadonlyArray<Defined>>
}

/** The headings of the help and the commands below them, in order. */
export const nouns: Readonly<Record<string, ReadonlyArray<Noun>>> = {
  "Visitors:": [
    {
      name: "visitors",
      description: "people identified on your sites",
      load: async () => (await import("./visitors/visitors.ts")).visitorCommands,
    },
    {
      name: "erasures",
      description: "what erasures of people did",
      load: async () => (await import("./erasures/erasures.ts")).erasureCommands,
    },
    {
      name: "companies",
      description: "the companies your visitors come from",
      load: async () => (await import("./companies/companies.ts")).companyCommands,
    },
    {
      name: "overview",
      description: "sessions, people and companies, day by day",
      load: async () => (await import("./overview/overview.ts")).overviewCommand,
    },
    {
      name: "breakdown",
      description: "the most visited pages, sources, campaigns, countries or devices",
      load: async () => (await import("./overview/breakdown.ts")).breakdownCommand,
    },
    {
      name: "segments",
      description: "saved rules that select visitors",
      load: async () => (await import("./segments/segments.ts")).segmentCommands,
    },
    {
      name: "lists",
      description: "companies or people that you put together, for rules",
      load: async () => (await import("./lists/lists.ts")).listCommands,
    },
    {
      name: "tags",
      description: "the tags of people or companies, and how many have each",
      load: async () => (await import("./tags/tags.ts")).tagsCommand,
    },
    {
      name: "score",
      description: "what people and companies are scored by",
      load: async () => (await import("./score/score.ts")).scoreCommands,
    },
    {
      name: "suppression",
      description: "rules for visitors you do not want to pay for",
      load: async () => (await import("./suppression/suppression.ts")).suppressionCommands,
    },
    {
      name: "pixels",
      description: "the pixels on your sites",
      load: async () => (await import("./pixels/pixels.ts")).pixelCommands,
    },
    {
      name: "inbound",
      description: "URLs for vendors, forms and calendars that know your visitors",
      load: async () => (await import("./inbound/inbound.ts")).inboundCommands,
    },
    {
      name: "link-tokens",
      description: "links in emails that identify who clicks them",
      load: async () => (await import("./link-tokens/link-tokens.ts")).linkTokenCommands,
    },
    {
      name: "webhooks",
      alias: "webhook",
      description: "URLs that receive an event when a visitor is identified",
      load: async () => (await import("./webhooks/webhooks.ts")).webhookCommands,
    },
  ],
  "Audiences:": [
    {
      name: "topics",
      description: "topics people read about, and how many people read them",
      load: async () => (await import("./topics/topics.ts")).topicCommands,
    },
    {
      name: "topic-lists",
      description: "saved lists of topics",
      load: async () => (await import("./topic-lists/topic-lists.ts")).topicListCommands,
    },
    {
      name: "audiences",
      description: "people who read about the topics you choose",
      load: async () => (await import("./audiences/audiences.ts")).audienceCommands,
    },
    {
      name: "runs",
      description: "the people in an audience on one day, and statistics",
      load: async () => (await import("./runs/runs.ts")).runCommands,
    },
    {
      name: "exports",
      description: "files with the people in a run, stored on the server",
      load: async () => (await import("./exports/exports.ts")).exportCommands,
    },
    {
      name: "destinations",
      description: "webhooks and mailing lists that receive audiences",
      load: async () => (await import("./destinations/destinations.ts")).destinationCommands,
    },
    {
      name: "sync",
      description: "deliver the latest run of an audience (sign in first)",
      load: async () => (await import("./deliveries/deliveries.ts")).syncCommand,
    },
    {
      name: "deliveries",
      description: "deliveries to destinations (sign in first)",
      load: async () => (await import("./deliveries/deliveries.ts")).deliveryCommands,
    },
    {
      name: "integrations",
      description: "accounts at mailing-list providers (sign in first)",
      load: async () => (await import("./integrations/integrations.ts")).integrationCommands,
    },
  ],
  "Tools:": [
    {
      name: "top",
      description: "watch visitors, queues and running work live",
      load: async () => (await import("./top/top.ts")).topCommand,
    },
    {
      name: "doctor",
      description: "find out why no visitors are listed, and what to do",
      load: async () => (await import("./doctor/doctor.ts")).doctorCommand,
    },
    {
      name: "mcp",
      description: "connect an agent on this computer to Footfall",
      load: async () => (await import("./mcp/mcp.ts")).mcpCommand,
    },
    {
      name: "listen",
      description: "receive, verify and show webhooks on this computer",
      load: async () => (await import("./listen/listen.ts")).listenCommand,
    },
    {
      name: "api",
      description: "send any API request",
      load: async () => (await import("./api/api.ts")).apiCommand,
    },
    {
      name: "import",
      description: "import topics, signals, people or links (sign in first)",
      load: async () => (await import("./import/import.ts")).importCommand,
    },
  ],
  "Organization:": [
    {
      name: "account",
      description: "credits, pixels and intent access of the organization",
      load: async () => (await import("./account/account.ts")).accountCommand,
    },
    {
      name: "keys",
      description: "API keys of the organization (sign in first)",
      load: async () => (await import("./keys/keys.ts")).keyCommands,
    },
    {
      name: "members",
      description: "members of the organization and their roles (sign in first)",
      load: async () => (await import("./members/members.ts")).memberCommands,
    },
    {
      name: "organizations",
      description: "your organizations (sign in first)",
      load: async () => (await import("./organizations/organizations.ts")).organizationCommands,
    },
    {
      name: "sign-ins",
      description: "your sign-ins (sign in first)",
      load: async () => (await import("./sign-ins/sign-ins.ts")).signIns,
    },
  ],
  "This computer:": [
    {
      name: "login",
      description: "sign in as a user, in your browser or with a password",
      load: async () => (await import("./login/login.ts")).loginCommand,
    },
    {
      name: "logout",
      description: "sign out of the profile, but keep its API key",
      load: async () => (await import("./login/login.ts")).logoutCommand,
    },
    {
      name: "whoami",
      description: "show which user or key is in use, and on which server",
      load: async () => (await import("./login/login.ts")).whoamiCommand,
    },
    {
      name: "accept-invitation",
      description: "accept an invitation and sign in",
      load: async () => (await import("./login/login.ts")).acceptInvitationCommand,
    },
    {
      name: "profiles",
      description: "servers and keys saved on this computer",
      load: async () => (await import("./profiles/profiles.ts")).profileCommands,
    },
    {
      name: "completion",
      description: "print a completion script for your shell",
      load: async () => (await import("./completion/completion.ts")).completionCommand,
    },
    {
      name: "help",
      description: "show the help of a command",
      load: async () => (await import("./help/help.ts")).helpCommand,
    },
    {
      name: "version",
      description: "print the version",
      load: async () => (await import("./help/help.ts")).versionCommand,
    },
  ],
}
