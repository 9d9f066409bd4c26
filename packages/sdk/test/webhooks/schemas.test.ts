// The JSON Schema of every event accepts what the types describe, and rejects an event that lacks a
// key (spec 1.1, 8.2, 8.3, 8.5).

import fastify from "fastify"
import { describe, expect, it } from "vitest"
import { webhookEventSchemas } from "../../src/webhook-schemas.ts"
import type { WebhookEventName } from "../../src/webhooks.ts"
import { webhookEvents } from "../support/webhook-events.ts"

const app = fastify({
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
})
const names = Object.keys(webhookEventSchemas) as ReadonlyArray<WebhookEventName>
for (const name of names) {
  app.post(`/${name}`, { schema: { body: webhookEventSchemas[name] } }, async () => "valid")
}

const isValid = async (name: WebhookEventName, body: unknown): Promise<boolean> => {
  const { statusCode } = await app.inject({ method: "POST", url: `/${name}`, body: body as object })
  return statusCode === 200
}

/** The value without each of its keys, at any depth, one at a time. */
const withoutEachKey = (value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const { [key]: _, ...rest } = value as Record<string, unknown>
    // The names in custom attribution are the customer's own, and a reason's parameters follow from its code.
    const isOpen = key === "customAttribution" || key === "params"
    const deeper = isOpen ? [] : withoutEachKey(inner)
    return [
      [key, rest] as const,
      ...deeper.map(([path, less]) => [`${key}.${path}`, { ...value, [key]: less }] as const),
    ]
  })
}

describe.each(names)("%s", (name) => {
  it("is valid as typed, and with a key that a later version adds", async () => {
    expect(await isValid(name, webhookEvents[name])).toBe(true)
    expect(await isValid(name, { ...webhookEvents[name], later: 1 })).toBe(true)
  })

  it("is invalid if any one of its keys is missing", async () => {
    const less = withoutEachKey(webhookEvents[name])

    expect(less.length).toBeGreaterThan(10)
    for (const [path, body] of less) {
      expect(`${path}: ${await isValid(name, body)}`).toBe(`${path}: false`)
    }
  })

  it("is invalid as another event", async () => {
    for (const other of names) {
      expect(await isValid(name, { ...webhookEvents[name], event: other })).toBe(other === name)
    }
  })
})

it("accepts `test` only as true or absent", async () => {
  const started = webhookEvents["intent.audience.sync.started"]

  expect(await isValid("intent.audience.sync.started", { ...started, test: true })).toBe(true)
  expect(await isValid("intent.audience.sync.started", { ...started, test: false })).toBe(false)
})
