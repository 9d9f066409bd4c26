// Received webhooks at three widths, rendered without color.

import { stripVTControlCharacters } from "node:util"
import type { ComponentType } from "react"
import { describe, expect, test } from "vitest"
import { eventFacts } from "../webhooks/verdict.ts"
import type { Received } from "./receiver.ts"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ReceivedLine, ReceivedView, WebhookFactsView } from "../webhooks/views.tsx"

const text = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns: number,
): string => stripVTControlCharacters(drawn(screen, props, columns))

const stored = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
  body: Buffer.from(body),
  headers: {
    "webhook-attempt": "2",
    "webhook-id": "msg_v35bfdk46kaiyhxly7uhlctygk",
    "webhook-timestamp": "1773219902",
    "webhook-signature": "v1,gkhbc8yWkWpWO5SpRee3zjCvZw+fSuCerFULbqdIlpA=",
    ...headers,
  },
})

const received = (body: string, changes: Partial<Received> = {}): Received => ({
  ...stored(body),
  receivedAt: new Date("2026-03-11T09:05:02.120Z"),
  method: "POST",
  path: "/",
  verdict: { verdict: "verified" },
  facts: eventFacts(stored(body)),
  forwarded: null,
  status: 200,
  ...changes,
})

const contact =
  '{"id":"msg_v35bfdk46kaiyhxly7uhlctygk","event":"intent.audience.contact.upserted","data":{"contact":{"fullName":"Jane Mercer","matchedTopics":[]}}}'

describe("a received webhook", () => {
  test("shows the verdict, the response status, the headers, and the body with one line per field", () => {
    const props = { received: received(contact), screenColumns: 80, timeZone: "UTC" }

    expect(text(ReceivedView, props, 80)).toMatchInlineSnapshot(`
      "09:05:02 intent.audience.contact.upserted attempt 2 ✓ verified → 200

        webhook-attempt    2
        webhook-id         msg_v35bfdk46kaiyhxly7uhlctygk
        webhook-timestamp  1773219902
        webhook-signature  v1,gkhbc8yWkWpWO5SpRee3zjCvZw+fSuCerFULbqdIlpA=

        {
          "id": "msg_v35bfdk46kaiyhxly7uhlctygk",
          "event": "intent.audience.contact.upserted",
          "data": {
            "contact": {
              "fullName": "Jane Mercer",
              "matchedTopics": []
            }
          }
        }

      "
    `)
  })

  test.each([60, 80, 120])("fits into %i columns", (columns) => {
    const long = JSON.stringify({ event: "visitor.identified", text: "wide ".repeat(200) })
    for (const one of [
      received(contact),
      received(long),
      received("", { method: "GET", path: `/${"long".repeat(50)}` }),
      received(contact, {
        verdict: { verdict: "refused", reason: "signature_mismatch", message: "Another secret." },
        status: 400,
      }),
      received(contact, { forwarded: { error: "ECONNREFUSED", durationMs: 3 }, status: 502 }),
    ]) {
      const props = { received: one, screenColumns: columns, timeZone: "UTC" }
      for (const line of text(ReceivedView, props, columns).split("\n")) {
        expect(textWidth(line)).toBeLessThanOrEqual(columns)
      }
      const [line = "", ...rest] = text(ReceivedLine, props, columns).split("\n")
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
      expect(line).toContain(`→ ${one.status}`)
      expect(rest.filter((further) => further.trim() !== "")).toEqual([])
    }
  })

  test.each([
    [{ verdict: { verdict: "unchecked" } }, "? not checked: no secret → 200"],
    [
      {
        verdict: { verdict: "refused", reason: "timestamp_too_old", message: "It is too old." },
        status: 400,
      },
      "✗ invalid (timestamp_too_old): It is too old. → 400",
    ],
    [{ forwarded: { status: 503, durationMs: 12 }, status: 503 }, "→ 503 (forwarded in 12 ms)"],
    [
      { forwarded: { error: "ECONNREFUSED", durationMs: 1 }, status: 502 },
      "→ 502 (not forwarded: ECONNREFUSED)",
    ],
  ] as const)("shows the result: %j", (changes, sentence) => {
    const props = { received: received(contact, changes), screenColumns: 200 }

    expect(text(ReceivedView, props, 200)).toContain(sentence)
  })

  test("marks a test, and a later attempt", () => {
    const facts = eventFacts(stored(contact, { "webhook-test": "true", "webhook-attempt": "3" }))
    const props = { received: received(contact, { facts }), screenColumns: 120, timeZone: "UTC" }

    expect(text(ReceivedView, props, 120)).toContain(
      "09:05:02 intent.audience.contact.upserted test attempt 3 ✓ verified",
    )
  })

  test("cannot control the terminal with its content", () => {
    const hostile = "\u001B[2J\u009B31mEvil\u202E"
    const body = JSON.stringify({ event: hostile, text: hostile })
    const one = received(body, {
      headers: { "x-name": hostile },
      path: hostile,
      forwarded: { error: hostile, durationMs: 1 },
    })
    const screens = [one, received(`${hostile} no json`)].map((received) =>
      text(ReceivedView, { received, screenColumns: 80 }, 80),
    )

    for (const screen of screens) {
      expect(screen).toContain("Evil")
      expect(screen).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    }
  })

  test("is cut after 400 lines", () => {
    const body = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index))
    const props = { received: received(body), screenColumns: 80 }

    expect(text(ReceivedView, props, 80)).toContain("… 602 more lines")
  })
})

test.each([60, 80, 120])("a webhook with a valid signature, in %i columns", (columns) => {
  const { payload: _, ...facts } = eventFacts(stored(contact))
  const props = { facts, now: new Date("2026-03-11T10:05:02.000Z"), screenColumns: columns }

  expect(text(WebhookFactsView, props, columns)).toBe(
    [
      "✓ signed with this secret",
      "",
      "Event    intent.audience.contact.upserted",
      "Id       msg_v35bfdk46kaiyhxly7uhlctygk",
      "Attempt  2",
      "Sent     2026-03-11T09:05:02.000Z (1h ago)",
      "",
    ].join("\n"),
  )
})
