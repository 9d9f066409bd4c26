// Ids and names that the commands of several nouns take.

import type { Command } from "commander"
import { latest } from "./latest.ts"
import { reference } from "./reference.ts"
import { named } from "./names.ts"

/** Rows per page of names, the server's maximum. */
const PAGE_ROWS = 100

/** Parses an audience's id or name. */
export const audienceId = named("audience", "footfall audiences list", (client) =>
  client.audiences.list({ limit: PAGE_ROWS }),
)

/** Parses a run's id or `latest`. Errors: InvalidArgumentError. */
const runId = latest(
  "a run",
  "footfall runs list <audience-id>",
  (client, [audience = ""]) => client.runs.list(audience, { status: "completed", limit: 1 }),
  ([audience = ""]) => [
    "This audience has no completed runs.",
    `Run: footfall runs start ${audience}`,
  ],
)

/** Adds the arguments that identify a run. */
export const addRunArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id or name of the audience", audienceId)
    .argument("<run-id>", "id of the run, or `latest` for the most recent completed run", runId)

/** Parses the id or name of a destination of the audience before it. */
export const destinationId = named(
  "destination",
  "footfall destinations list <audience-id>",
  (client, [audience = ""]) => client.destinations.list(audience),
)

/** Adds `<audience-id>`. */
export const addAudienceArgument = (command: Command): Command =>
  command.argument("<audience-id>", "id or name of the audience", audienceId)

/** Adds `<audience-id>` and `<destination-id>`. */
export const addDestinationArguments = (command: Command): Command =>
  addAudienceArgument(command).argument(
    "<destination-id>",
    "id or name of the destination",
    destinationId,
  )

/** For examples in help texts. */
export const DESTINATION_EXAMPLE = "'Warehouse buyers' 'CRM intake'"

export const AUDIENCE_EXAMPLE = "'Warehouse buyers'"

/** Parses the id or name of a list of companies or people. */
export const listId = named("list", "footfall lists list", (client) =>
  client.lists.list({ limit: PAGE_ROWS }),
)

/** Parses a segment's id or name. */
export const segmentId = named("segment", "footfall segments list", (client) =>
  client.segments.list({ limit: PAGE_ROWS }),
)

/** Parses a connected account's id or name. */
export const accountId = named(
  "connected account",
  "footfall integrations accounts list",
  async (client) =>
    (await client.integrations.accounts()).map(({ accountName, appName, id }) => ({
      id,
      name: accountName ?? appName,
    })),
)

/** Parses a visitor webhook's id or name. */
export const webhookId = named("webhook", "footfall webhooks list", (client) =>
  client.webhooks.list(),
)

/** Parses a pixel's id or domain. */
export const pixelId = reference(async (client, text) => {
  const { pixelIdOf } = await import("../pixels/pixel-id.ts")
  return pixelIdOf(client, text)
})

/** Parses the slug or name of one of the user's organizations. */
export const organizationId = reference(async (client, text) => {
  const { ownOrganization } = await import("../organizations/own.ts")
  return ownOrganization((await client.auth.me()).organizations, text).id
})
