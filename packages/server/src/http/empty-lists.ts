// The hint of an empty list (spec 1.6.12): where its rows come from, and the one command or page that brings them.

const hints = {
  visitors:
    "No one was identified in this window and scope. People are identified by identify() of the pixel, forms, mail links, sources and imported identity links. To see what is missing: footfall doctor",
  visitorQuery:
    "No one matches in this window. The fields of rules with their operators: footfall visitors fields",
  sessions: "No session is in this window and scope. Look further back: timeframe=all",
  companies:
    "No company visited in this window and scope. Companies come from networks (IP_COMPANY_FILE), business email addresses and imports: docs/how-to/see-companies.md",
  segments: "There are no segments yet. Create one: footfall segments create <name>",
  pixels: "There are no pixels yet. Create one: footfall pixels create <domain>",
  writeKeys: "The pixel has no write keys yet. Create one: footfall pixels write-keys create",
  suppressionRules: "No rule matches. Add one: footfall suppression add <value>",
  webhooks: "There are no webhooks yet. Create one: footfall webhooks create <name> <url>",
  webhookDeliveries: "Nothing was queued yet. To send a test: footfall webhooks test <id>",
  topics:
    "No topic matches. Topics come from the starter catalog (footfall-server starter-topics) and from imports: docs/reference/topics.md",
  topicLists: "There are no topic lists yet. Create one: footfall topic-lists create <name>",
  analyses: "There are no analyses yet. Make one: footfall topics analyze <url>",
  audiences: "There are no audiences yet. Create one: footfall audiences create <name>",
  runs: "There are no runs yet. Start one: footfall runs start <audience>",
  results:
    "The run found no one. Signals come from topic rules (footfall pixels suggest-topics <domain>) and from imports: docs/reference/topics.md",
  exports:
    "There are no exports of this run yet. Make one: footfall exports create <audience> <run>",
  destinations:
    "The audience has no destinations yet. Create one: footfall destinations create <audience> <name>",
  accounts:
    "No mailing list account is connected yet. Connect one: footfall integrations accounts create",
  deliveries: "Nothing was delivered yet. Start a delivery: footfall sync",
} as const

export type EmptyList = keyof typeof hints

/** The `meta` field for an empty list; nothing for any other. */
export const hintIfEmpty = (
  rows: ReadonlyArray<unknown>,
  list: EmptyList,
): { readonly hint?: string } => (rows.length === 0 ? { hint: hints[list] } : {})
