import { expect, it } from "vitest"
import { canonicalHash } from "../../platform/http/canonical.ts"
import { type AutomationDestinationConfig, configHash, orderedEventTypes } from "./destination.ts"

const webhook = {
  destinationType: "webhook",
  url: "https://hooks.tidewater.example/footfall",
  eventTypes: [
    "intent.audience.sync.started",
    "intent.audience.contact.upserted",
    "intent.audience.sync.completed",
  ],
  timeoutMs: 10_000,
} as const
const automation: AutomationDestinationConfig = {
  destinationType: "automation",
  appSlug: "mailer",
  connectedAccountId: "8d0f3b7e-5f0c-4c39-9b67-3f7c1f2a4b10",
  config: {
    listId: "list-1",
    emailSource: "email",
    newContactStatus: "SUBSCRIBED",
    fieldMapping: { FNAME: "firstName" },
    tags: ["a", "b"],
    onLeave: "keep",
    eraseAtProvider: false,
  },
}

it("the hash of a webhook is that of the example (spec 12.11)", () => {
  expect(configHash(webhook)).toBe(
    "7cb47032da401b3c62741e230ca29c8f7486bc9a70bcebc506635418f415723c",
  )
})

it("settings that are not approved do not change the hash: timeout, order of event types", () => {
  expect(configHash({ ...webhook, timeoutMs: 1000 })).toBe(configHash(webhook))
  expect(configHash({ ...webhook, eventTypes: webhook.eventTypes.toReversed() })).toBe(
    configHash(webhook),
  )
})

it("approved settings change the hash: URL, event types, account, every part of the config", () => {
  const { config } = automation
  const hashes = [
    webhook,
    { ...webhook, url: "https://hooks.tidewater.example/other" },
    { ...webhook, eventTypes: webhook.eventTypes.slice(1) },
    automation,
    { ...automation, connectedAccountId: "0b8f4b6e-6d52-4f5d-8a3b-25a1f0a4f7d1" },
    { ...automation, config: { ...config, listId: "list-2" } },
    { ...automation, config: { ...config, listName: "Buyers" } },
    { ...automation, config: { ...config, fieldMapping: { FNAME: "lastName" } as const } },
    { ...automation, config: { ...config, tags: ["a"] } },
    { ...automation, config: { ...config, newContactStatus: null } },
  ].map((each) => configHash(each))

  expect(new Set(hashes).size).toBe(hashes.length)
})

it("headers, body and template change the hash, the order of a template's keys does not", () => {
  const template = '{"a":1,"b":2}'
  const changed = [
    webhook,
    { ...webhook, headers: { "x-a": "hash-1" } },
    { ...webhook, headers: { "x-a": "hash-2" } },
    { ...webhook, headers: { "x-b": "hash-1" } },
    { ...webhook, body: "cloudevents" as const },
    { ...webhook, body: "template" as const, template },
    { ...webhook, body: "template" as const, template: '{"a":1,"b":3}' },
  ].map((each) => configHash(each))

  expect(new Set(changed).size).toBe(changed.length)
  expect(configHash({ ...webhook, body: "template", template: '{"b":2,"a":1}' })).toBe(changed[5])
})

it("a configuration approved before 0.3 is still approved", () => {
  const { eraseAtProvider: _, onLeave: __, ...former } = automation.config
  const { config: ___, ...rest } = automation

  expect(configHash(automation)).toBe(canonicalHash({ ...rest, config: former }))
})

it("event types have the order of the specification, each once (spec 2.15.2)", () => {
  expect(
    orderedEventTypes([
      "intent.audience.sync.completed",
      "intent.audience.sync.started",
      "intent.audience.sync.started",
    ]),
  ).toEqual(["intent.audience.sync.started", "intent.audience.sync.completed"])
})
