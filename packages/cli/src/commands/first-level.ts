// The commands of the first level, each by its name and a sentence. The module behind a name is loaded when
// it is needed, so this file imports none.

import type { Command } from "commander"
import type { Terminal } from "../terminal/terminal.ts"

/**
 * Gives a command its own commands, or its arguments, options and action. `wholeProgram` is for what is
 * made from the tree.
 */
export type Define = (
  command: Command,
  terminal: Terminal,
  wholeProgram: () => Promise<Command>,
) => void

/** A command of the first level. */
export interface Entry {
  readonly name: string
  /** Another name, which works and is not shown. */
  readonly alias?: string
  /** One sentence for the help of the program. */
  readonly does: string
  readonly load: () => Promise<Define>
}

/** What there is, under the headings of the help and in its order. */
export const firstLevel: Readonly<Record<string, ReadonlyArray<Entry>>> = {
  "Visitors:": [
    {
      name: "visitors",
      does: "the people who were identified on your sites",
      load: async () => (await import("./visitors/visitor-commands.ts")).addVisitorCommands,
    },
    {
      name: "segments",
      does: "saved rules that say which visitors are meant",
      load: async () => (await import("./segments/segment-commands.ts")).addSegmentCommands,
    },
    {
      name: "suppression",
      does: "rules for visitors that cost nothing and trigger nothing",
      load: async () =>
        (await import("./suppression/suppression-commands.ts")).addSuppressionCommands,
    },
    {
      name: "pixels",
      does: "the pixels on your sites",
      load: async () => (await import("./pixels/pixel-commands.ts")).addPixelCommands,
    },
    {
      name: "link-tokens",
      does: "links in mails that know who follows them",
      load: async () => (await import("./link-tokens/link-token-commands.ts")).addLinkTokenCommands,
    },
    {
      name: "webhooks",
      alias: "webhook",
      does: "addresses that are told of visitors as they are identified",
      load: async () =>
        (await import("./webhooks/visitor-webhook-commands.ts")).addVisitorWebhookCommands,
    },
  ],
  "Audiences:": [
    {
      name: "topics",
      does: "what people read about, and how many of them",
      load: async () => (await import("./topics/topic-commands.ts")).addTopicCommands,
    },
    {
      name: "topic-lists",
      does: "topics that you keep under a name",
      load: async () => (await import("./topic-lists/topic-list-commands.ts")).addTopicListCommands,
    },
    {
      name: "audiences",
      does: "people who read about topics: counted, and saved to be kept",
      load: async () => (await import("./audiences/audience-commands.ts")).addAudienceCommands,
    },
    {
      name: "runs",
      does: "the people an audience held on one day, and their figures",
      load: async () => (await import("./runs/run-commands.ts")).addRunCommands,
    },
    {
      name: "exports",
      does: "files of the people a run found, kept on the server",
      load: async () => (await import("./exports/export-commands.ts")).addExportCommands,
    },
    {
      name: "destinations",
      does: "webhooks and mailing lists that audiences are delivered to",
      load: async () =>
        (await import("./destinations/destination-commands.ts")).addDestinationCommands,
    },
    {
      name: "sync",
      does: "deliver the latest run of an audience to a destination",
      load: async () => (await import("./deliveries/sync.ts")).defineSync,
    },
    {
      name: "deliveries",
      does: "what was sent to the destinations, and what failed",
      load: async () => (await import("./deliveries/delivery-commands.ts")).addDeliveryCommands,
    },
    {
      name: "integrations",
      does: "accounts at mailing-list providers, and their lists",
      load: async () =>
        (await import("./integrations/integration-commands.ts")).addIntegrationCommands,
    },
  ],
  "Tools:": [
    {
      name: "top",
      does: "watch visitors, queues and work in progress, live",
      load: async () => (await import("./top/top.ts")).defineTop,
    },
    {
      name: "doctor",
      does: "find out why no visitors are listed, and what to do",
      load: async () => (await import("./doctor/doctor.ts")).defineDoctor,
    },
    {
      name: "listen",
      does: "receive webhooks on this computer, check and show them",
      load: async () => (await import("./listen/listen.ts")).defineListen,
    },
    {
      name: "import",
      does: "send topics, signals, people or links (needs a log-in)",
      load: async () => (await import("./import/import.ts")).defineImport,
    },
  ],
  "Organization:": [
    {
      name: "account",
      does: "credits, pixels and intent access of the organization",
      load: async () => (await import("./account/account.ts")).defineAccount,
    },
    {
      name: "keys",
      does: "API keys of the organization (needs a log-in)",
      load: async () => (await import("./keys/key-commands.ts")).addKeyCommands,
    },
    {
      name: "members",
      does: "people of the organization and their roles (needs a log-in)",
      load: async () => (await import("./members/member-commands.ts")).addMemberCommands,
    },
    {
      name: "organizations",
      does: "your organizations (needs a log-in)",
      load: async () =>
        (await import("./organizations/organization-commands.ts")).addOrganizationCommands,
    },
  ],
  "This computer:": [
    {
      name: "login",
      does: "log in as a user",
      load: async () => (await import("./login/login.ts")).defineLogin,
    },
    {
      name: "logout",
      does: "end the log-in of the profile; its API key stays",
      load: async () => (await import("./login/logout.ts")).defineLogout,
    },
    {
      name: "whoami",
      does: "say whose log-in or key is in use, and where",
      load: async () => (await import("./login/whoami.ts")).defineWhoami,
    },
    {
      name: "accept-invitation",
      does: "set your password with the invitation you got, and log in",
      load: async () => (await import("./login/accept-invitation.ts")).defineAcceptInvitation,
    },
    {
      name: "profiles",
      does: "servers and keys this computer knows",
      load: async () => (await import("./profiles/profile-commands.ts")).addProfileCommands,
    },
    {
      name: "completion",
      does: "print a script that completes commands in bash, zsh or fish",
      load: async () => (await import("./completion/completion.ts")).defineCompletion,
    },
  ],
}
