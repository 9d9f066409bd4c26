// Verification as specified: the worked example, every reason for refusal, both sides of the tolerance, rotation, and
// every form of headers and bodies (spec 8.1, 12.12).

import { describe, expect, expectTypeOf, it } from "vitest"
import {
  signTestWebhook,
  verifyWebhook,
  type VerifyWebhookParams,
  type WebhookContact,
  WebhookVerificationError,
} from "../../src/webhooks.ts"
import { webhookEvents } from "../support/webhook-events.ts"
import { workedHeaders, workedSecret, workedWebhooks } from "../support/worked-webhooks.ts"

const otherSecret = `whsec_${btoa("another secret of thirty-two byt")}`
const started = workedWebhooks[0]!
const at = (second: number) => new Date(second * 1000)

const request: VerifyWebhookParams = {
  payload: started.body,
  headers: workedHeaders(started),
  secret: workedSecret,
  now: at(started.second),
}

/** The reason, or "accepted". */
const verdict = async (changes: Partial<VerifyWebhookParams>): Promise<string> => {
  try {
    await verifyWebhook({ ...request, ...changes })
    return "accepted"
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError)
    const { code, message, reason } = error as WebhookVerificationError
    expect(code).toBe("WEBHOOK_VERIFICATION_FAILED")
    expect(message).not.toContain(workedSecret.slice(6))
    return reason
  }
}

const withHeader = (name: string, value: string | undefined) => ({
  headers: { ...workedHeaders(started), [name]: value },
})

describe("the worked example", () => {
  it.each(workedWebhooks)("$event verifies and returns the event", async (webhook) => {
    const event = await verifyWebhook({
      payload: webhook.body,
      headers: workedHeaders(webhook),
      secret: workedSecret,
      now: at(webhook.second),
    })

    expect(event).toEqual(JSON.parse(webhook.body))
    expect(event.id).toBe(webhook.id)
  })

  it.each(workedWebhooks)("$event is signed in the same way", async (webhook) => {
    const signed = await signTestWebhook({
      payload: webhook.body,
      id: webhook.id,
      secret: workedSecret,
      timestamp: at(webhook.second),
    })

    expect(signed.headers).toMatchObject(workedHeaders(webhook))
    expect(signed.body).toBe(webhook.body)
  })
})

describe("refused:", () => {
  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "a missing or empty %s",
    async (name) => {
      expect(await verdict(withHeader(name, undefined))).toBe("missing_header")
      expect(await verdict(withHeader(name, ""))).toBe("missing_header")
    },
  )

  it.each(["tomorrow", "-1773219901", "1773219901.5", " 1773219901", "1e9", "0x1"])(
    "a timestamp that is not a whole number is rejected: %j",
    async (text) => {
      expect(await verdict(withHeader("webhook-timestamp", text))).toBe("malformed_header")
    },
  )

  it.each(["v2,abcd", "v1", "v1,not base64", started.signature.slice(3)])(
    "a signature without version 1 is rejected: %j",
    async (text) => {
      expect(await verdict(withHeader("webhook-signature", text))).toBe("malformed_header")
    },
  )

  it("another secret, id, timestamp or body", async () => {
    expect(await verdict({ secret: otherSecret })).toBe("signature_mismatch")
    expect(await verdict(withHeader("webhook-id", "msg_other"))).toBe("signature_mismatch")
    expect(await verdict(withHeader("webhook-timestamp", String(started.second + 1)))).toBe(
      "signature_mismatch",
    )
    expect(await verdict({ payload: `${started.body} ` })).toBe("signature_mismatch")
    expect(await verdict({ secret: [] })).toBe("signature_mismatch")
  })

  it("a signature that is truncated or encoded differently", async () => {
    const [, base64 = ""] = started.signature.split(",")
    const short = btoa(atob(base64).slice(0, 16))
    // The last digit before the padding has two bits that belong to no byte.
    const other = `${base64.slice(0, -2)}Z=`

    expect(await verdict(withHeader("webhook-signature", `v1,${short}`))).toBe("signature_mismatch")
    expect(other).not.toBe(base64)
    expect(await verdict(withHeader("webhook-signature", `v1,${other}`))).toBe("malformed_header")
  })

  it("any flipped bit in id, timestamp, body or signature", async () => {
    const flipped = (text: string, bit: number) => {
      const bytes = Buffer.from(text)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      return bytes
    }
    let tried = 0
    for (const [name, text] of Object.entries(workedHeaders(started))) {
      for (let bit = 0; bit < text.length * 8; bit++) {
        const value = flipped(text, bit).toString("latin1")
        expect(await verdict(withHeader(name, value)), `${name} ${value}`).not.toBe("accepted")
        tried += 1
      }
    }
    for (let bit = 0; bit < started.body.length * 8; bit++) {
      expect(await verdict({ payload: flipped(started.body, bit) })).toBe("signature_mismatch")
      tried += 1
    }

    expect(tried).toBe((30 + 10 + 47 + 698) * 8)
  })

  it.each(["", "[]", "null", '"text"', "{", '{"event":1}'])(
    "a correctly signed body that is not an event: %j",
    async (payload) => {
      const { headers } = await signTestWebhook({ payload, secret: workedSecret })

      expect(await verdict({ payload, headers, now: new Date() })).toBe("malformed_payload")
    },
  )

  it.each([
    ["outside its strings", "{\xff}"],
    ["inside a string", '{"event":"visitor.identified","name":"\xff"}'],
  ])("a correctly signed body that is not UTF-8 %s", async (_where, text) => {
    const payload = Uint8Array.from(text, (unit) => unit.charCodeAt(0))
    const { headers } = await signTestWebhook({ payload, secret: workedSecret })

    expect(await verdict({ payload, headers, now: new Date() })).toBe("malformed_payload")
  })
})

describe("the tolerance", () => {
  it.each([
    [300, "accepted"],
    [301, "timestamp_too_old"],
    [-300, "accepted"],
    [-301, "timestamp_too_new"],
  ])("of 300 s, %i s after the timestamp: %s", async (seconds, expected) => {
    expect(await verdict({ now: at(started.second + seconds) })).toBe(expected)
  })

  it("can be set", async () => {
    const now = at(started.second + 3600)

    expect(await verdict({ now, toleranceSeconds: 3600 })).toBe("accepted")
    expect(await verdict({ now, toleranceSeconds: 3599 })).toBe("timestamp_too_old")
  })

  it("is not widened by NaN", async () => {
    expect(await verdict({ toleranceSeconds: Number.NaN })).toBe("timestamp_too_old")
    expect(await verdict({ now: new Date(Number.NaN) })).toBe("timestamp_too_old")
  })
})

describe("during a rotation", () => {
  it("a request signed with both secrets verifies with either, and a later one with the new secret", async () => {
    const both = await signTestWebhook({
      payload: started.body,
      secret: [otherSecret, workedSecret],
    })
    const after = await signTestWebhook({ payload: started.body, secret: otherSecret })
    const now = new Date()

    expect(await verdict({ headers: both.headers, now })).toBe("accepted")
    expect(await verdict({ headers: both.headers, now, secret: otherSecret })).toBe("accepted")
    expect(await verdict({ headers: after.headers, now, secret: otherSecret })).toBe("accepted")
    expect(await verdict({ headers: after.headers, now })).toBe("signature_mismatch")
    expect(
      await verdict({ headers: after.headers, now, secret: [workedSecret, otherSecret] }),
    ).toBe("accepted")
  })

  it("ignores signatures of other versions", async () => {
    expect(
      await verdict(withHeader("webhook-signature", `v1a,AAAA v9,x ${started.signature}`)),
    ).toBe("accepted")
  })

  it("checks ten signatures and no more", async () => {
    const others = (count: number) => Array.from({ length: count }, () => `v1,${btoa("x")}`)
    const list = (count: number) => [...others(count), started.signature].join(" ")

    expect(await verdict(withHeader("webhook-signature", list(9)))).toBe("accepted")
    expect(await verdict(withHeader("webhook-signature", list(10)))).toBe("signature_mismatch")
  })
})

describe("every form is accepted:", () => {
  const headers = workedHeaders(started)
  const bytes = Buffer.from(started.body)

  it.each([
    ["a Headers", new Headers(headers)],
    ["a Map", new Map(Object.entries(headers))],
    [
      "any case",
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
    ],
    ["lists", Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ])("headers as %s", async (_, headers) => {
    expect(await verdict({ headers })).toBe("accepted")
  })

  it.each([
    ["a string", started.body],
    ["a Buffer", bytes],
    ["a Uint8Array", new Uint8Array(bytes)],
    [
      "a part of a larger buffer",
      new Uint8Array(Buffer.concat([Buffer.from("xx"), bytes])).subarray(2),
    ],
    ["an ArrayBuffer", new Uint8Array(bytes).buffer],
  ])("the body as %s", async (_, payload) => {
    expect(await verdict({ payload })).toBe("accepted")
  })

  it("the secret without a prefix", async () => {
    expect(await verdict({ secret: workedSecret.slice(6) })).toBe("accepted")
  })
})

it("a parsed body is rejected with an explanation", async () => {
  // As JavaScript callers may write it.
  const payload = JSON.parse(started.body) as string

  await expect(verifyWebhook({ ...request, payload })).rejects.toThrow(
    new TypeError("payload must be the raw body: a string or bytes, not parsed JSON"),
  )
})

it.each(["", "whsec_", "whsec_not base64!", "whsec_AAE"])(
  "an invalid secret is rejected and not quoted in the message: %j",
  async (secret) => {
    await expect(verifyWebhook({ ...request, secret })).rejects.toThrow(
      new TypeError('secret must be "whsec_" and base64'),
    )
  },
)

it.each([undefined, null, 5, [undefined]])(
  "a secret that is %j, as of a variable that is not set, is rejected with an explanation",
  async (secret) => {
    // As JavaScript callers may write it.
    const failed = verifyWebhook({ ...request, secret: secret as never })

    await expect(failed).rejects.toThrow(TypeError)
    await expect(failed).rejects.toThrow("is its environment variable set?")
  },
)

it.each(["\n", "\r\n", " "])("a secret that ends in %j verifies", async (end) => {
  const { secret } = request

  expect((await verifyWebhook({ ...request, secret: `${String(secret)}${end}` })).id).toBeTruthy()
})

it("the kind of an event determines the type of its data", async () => {
  const signed = await signTestWebhook({
    payload: webhookEvents["intent.audience.contact.upserted"],
    secret: workedSecret,
  })
  const event = await verifyWebhook({
    payload: signed.body,
    headers: signed.headers,
    secret: workedSecret,
  })

  switch (event.event) {
    case "intent.audience.contact.upserted":
      expectTypeOf(event.data.contact).toEqualTypeOf<WebhookContact>()
      expect(event.data.contact.fullName).toBe("Jane Mercer")
      break
    case "visitor.identified":
      expectTypeOf(event.trigger).toEqualTypeOf<"first_match" | "every_update">()
      // @ts-expect-error no legacy names
      expect(event.allEmails).toBeUndefined()
      break
    default:
      expect.unreachable()
  }
})

describe("a test request", () => {
  const sign = (changes: object = {}) =>
    signTestWebhook({
      payload: webhookEvents["visitor.identified"],
      secret: workedSecret,
      ...changes,
    })

  it("has its event's id, attempt 1 and the current time", async () => {
    const { headers } = await sign()

    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "webhook-id": webhookEvents["visitor.identified"].id,
      "webhook-attempt": "1",
    })
    expect(await verdict({ payload: (await sign()).body, headers, now: new Date() })).toBe(
      "accepted",
    )
  })

  it("has its own id if the body is raw", async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () => (await sign({ payload: "{}" })).headers["webhook-id"]),
    )

    for (const id of ids) expect(id).toMatch(/^msg_[a-z2-7]{26}$/)
    expect(new Set(ids).size).toBe(50)
  })
})
