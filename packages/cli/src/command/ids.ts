// Ids and names that the commands of several nouns take.

import type { Command } from "commander"
import { latest } from "./latest.ts"
import { named } from "./names.ts"
import { reference } from "./reference.ts"

/** Rows of a page of names; the most the server gives. */
const PAGE_ROWS = 100

/** A parser of what names an audience. */
export const audienceId = named("audience", "footfall audiences list", (client) =>
  client.audiences.list({ limit: PAGE_ROWS }),
)

/** A parser of what names a run. Errors: InvalidArgumentError. */
const runId = latest(
  "a run",
  "footfall runs list <audience-id>",
  (client, [audience = ""]) => client.runs.list(audience, { status: "completed", limit: 1 }),
  ([audience = ""]) => [
    "This audience has no completed run.",
    `Run: footfall runs start ${audience}`,
  ],
)

/** Adds what names a run. */
export const addRunArguments = (command: Command): Command =>
  command
    .argument("<audience-id>", "id or name of the audience", audienceId)
    .argument("<run-id>", "id of the run, or `latest` for the newest completed run", runId)

/** A parser of what names a destination of the audience before it. */
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

/** A parser of what names a segment. */
export const segmentId = named("segment", "footfall segments list", (client) =>
  client.segments.list({ limit: PAGE_ROWS }),
)

/** A parser of what names a connected account. */
export const accountId = named(
  "connected account",
  "footfall integrations accounts list",
  async (client) =>
    (await client.integrations.accounts()).map(({ accountName, appName, id }) => ({
      id,
      name: accountName ?? appName,
    })),
)

/** A parser of what names a visitor webhook. */
export const webhookId = named("webhook", "footfall webhooks list", (client) =>
  client.webhooks.list(),
)

/** A parser of ids and domains of pixels. */
export const pixelId = reference(async (client, text) => {
  const { pixelIdOf } = await import("../pixels/pixel-id.ts")
  return pixelIdOf(client, text)
})

/** A parser of what names an organization of the user: its slug or its name. */
export const organizationId = reference(async (client, text) => {
  const { ownOrganization } = await import("../organizations/own.ts")
  return ownOrganization((await client.auth.me()).organizations, text).id
})
