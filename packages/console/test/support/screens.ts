// Every screen of the console: its path below /console, a text that appears once it is complete,
// and the data it needs.
import type { Footfall } from "@footfall/sdk"
import { daysAgo, firstOf30Days } from "./window.ts"

type Screen = readonly [path: string, text: string | RegExp]

export const makeScreens = async (
  footfall: Footfall,
  url: string,
): Promise<ReadonlyArray<Screen>> => {
  const { data } = await footfall.visitors.list({ from: firstOf30Days() })
  const pixels = await footfall.pixels.list()
  const [pixel] = pixels.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  const { webhook } = await footfall.webhooks.create({
    name: "Screens",
    url: "https://hooks.acme.example/screens",
  })
  const [topic] = await footfall.topics.search({ q: "freight" })
  const { id: audienceId } = await footfall.audiences.create({
    name: "Screens",
    status: "active",
    config: { topicIds: [topic!.topicId] },
  })
  const { destination } = await footfall.destinations.create(audienceId, {
    destinationType: "webhook",
    name: "Screens",
    // Its host name resolves.
    url: url.replace("http:", "https:"),
    eventTypes: ["intent.audience.contact.upserted"],
  })
  const run = await footfall.runs.start(audienceId).wait()
  await footfall.destinations.update(audienceId, destination.id, { status: "active" })
  const delivery = await footfall.deliveries.sync(audienceId, destination.id)
  await footfall.topicLists.create({ name: "Screens", topicIds: [topic!.topicId] })
  await footfall.suppression.add([{ type: "domain", value: "screens.example" }])
  const { data: companies } = await footfall.companies.list({ from: firstOf30Days() })
  const segment = await footfall.segments.create({
    name: "Screens",
    ruleAst: { version: 1, rule: { field: "behavior.pageviews", op: "gte", value: 1 } },
  })
  const list = await footfall.lists.create({ name: "Screens", subject: "companies" })
  await footfall.lists.addMembers(list.id, { values: ["screens.example"] })
  await footfall.suppressionSources.create({ name: "Screens", kind: "list", listId: list.id })
  const { inbound } = await footfall.inbound.create({
    name: "Screens",
    pixelId: pixel!.id,
    preset: "generic",
    mapping: { kind: "person", fields: { email: "$.mail" } },
  })
  return [
    ["overview", "Hottest people"],
    [`overview?from=${daysAgo(20)}&to=${daysAgo(11)}&compare=previous`, "the period before"],
    ["companies", "Last seen"],
    // From the demo, like the one seen longest ago: other tests erase their own.
    [`companies/${companies.at(-1)!.domain}`, "Who walked when"],
    ["segments/new", "View the list"],
    [`segments/${segment.id}`, "Save the changes"],
    ["people", "Last seen"],
    [`people/${data.at(-1)!.emailHash}`, /^What .* did$/],
    ["start", "Add the tag to your site"],
    ["pixels", "Add a site"],
    [`pixels/${pixel!.id}`, "The tag"],
    ["pixels/inbound", "Screens"],
    [`pixels/inbound/${inbound.id}`, "Waiting for the first request"],
    ["webhooks", "Screens"],
    [`webhooks/${webhook.id}`, "History"],
    ["lists", "Screens"],
    [`lists/${list.id}`, "screens.example"],
    ["suppression", "Add rules"],
    ["suppression/sources", "Screens"],
    ["topics", "All topics"],
    [`topics/${topic!.topicId}`, "People a day"],
    ["audiences", "Screens"],
    [`audiences/${audienceId}`, "Addresses are masked"],
    [`audiences/${audienceId}/runs/${run.id}`, "Available data"],
    [`audiences/${audienceId}/destinations/${destination.id}`, "Send a sample request"],
    [`audiences/${audienceId}/deliveries/${delivery.id}`, "0 skipped"],
    ["connected-accounts", "No connected accounts"],
    ["suppression/import", "Drop a file here"],
    [`topics?view=compare&topics=${topic!.topicId}`, "People on the newest day"],
    ["topics?view=up", "Between the two newest days"],
    ["topics?view=lists", "Screens"],
    ["topics?view=site", "Page URL"],
    ["settings", "Usage"],
    ["settings/members", "Add a member"],
    ["settings/keys", "Create a key"],
    // Every load of the application renews its session.
    ["settings/audit", "user.logged_in"],
    ["settings/erasures", "Nothing here says who it was"],
    ["settings/imports", "Import a file"],
    ["settings/account", "Sign out everywhere"],
    ["device", "Continue"],
  ]
}
