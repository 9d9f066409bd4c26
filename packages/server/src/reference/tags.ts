// The chapters of the reference: what each is called, what it is about, and which groups of the API are in it.

const chapters: ReadonlyArray<{
  readonly name: string
  readonly description: string
  readonly groups: ReadonlyArray<string>
}> = [
  {
    name: "Visitors",
    description: "The people your pixels identified, their sessions, and erasing them.",
    groups: ["visitors", "sessions", "erasure"],
  },
  {
    name: "Segments",
    description: "Saved rules that select visitors by what they did and where they work.",
    groups: ["segments"],
  },
  {
    name: "Pixels",
    description: "The script that records visits: one pixel for each domain.",
    groups: ["pixels"],
  },
  {
    name: "Suppression rules",
    description: "Addresses, domains and industries you do not want to see or pay for.",
    groups: ["suppression"],
  },
  {
    name: "Visitor webhooks",
    description: "Identified visitors, sent to your server as they arrive.",
    groups: ["webhooks"],
  },
  {
    name: "Account",
    description: "Credits, pixels and intent access of the organization.",
    groups: ["account"],
  },
  {
    name: "Sign-in",
    description: "Access tokens for members: sign in, refresh, sign out, accept an invitation.",
    groups: ["auth"],
  },
  {
    name: "Organizations",
    description: "Organizations, their settings and their members.",
    groups: ["organizations"],
  },
  {
    name: "API keys",
    description: "Keys for your backend. A key has the rights of a member.",
    groups: ["apiKeys"],
  },
  {
    name: "Imports",
    description: "Topics, signals, people and identity links from your own data.",
    groups: ["imports"],
  },
  {
    name: "Link tokens",
    description: "Tokens that identify the recipient of an email when they click a link.",
    groups: ["linkTokens"],
  },
  {
    name: "Topics",
    description: "What people read about, and how many of them. Needs no credentials.",
    groups: ["topics", "topicTrends"],
  },
  {
    name: "Topic lists",
    description: "Topics saved under a name.",
    groups: ["topicLists"],
  },
  {
    name: "Audiences",
    description: "People with buying intent: who reads about your topics and matches your filters.",
    groups: ["audiences", "audienceFilters", "audiencePreviews"],
  },
  {
    name: "Runs",
    description: "The people of an audience at one point in time.",
    groups: ["runs"],
  },
  {
    name: "Destinations",
    description: "Where an audience is delivered: a webhook or a mailing list.",
    groups: ["destinations", "destinationSecrets"],
  },
  {
    name: "Connected accounts",
    description: "Your accounts at mailing-list providers.",
    groups: ["integrations"],
  },
  {
    name: "Deliveries",
    description: "Runs on their way to a destination.",
    groups: ["deliveries"],
  },
  {
    name: "Site analysis",
    description: "The topics a website is about.",
    groups: ["siteAnalysis", "siteTopics"],
  },
  {
    name: "Exports",
    description: "The people a run found, as CSV.",
    groups: ["exports", "exportDownloads"],
  },
]

/** For `tags` of the document. */
export const tags = chapters.map(({ name, description }) => ({ name, description }))

const names = new Map(chapters.flatMap(({ name, groups }) => groups.map((group) => [group, name])))

export const tagOf = (group: string): string => names.get(group) ?? group
