// Signatures: the worked example byte for byte, and random messages verified by the libraries that receivers use:
// Standard Webhooks, Svix, and our own (spec 8.1, 8.3, 12.12).
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { verifyWebhook } from "@footfall/sdk/webhooks"
import { createHash, randomBytes, randomInt } from "node:crypto"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { describe, expect, it } from "vitest"
import {
  workedDelivery,
  workedHeaders,
  workedSecret,
  workedWebhooks,
} from "../../../sdk/test/support/worked-webhooks.ts"
import {
  messageIdOf,
  newMessageId,
  newWebhookSecret,
  type SignedMessage,
  signedHeaders,
} from "../../src/platform/outbound/signing.ts"
import { version } from "../../src/version.ts"
import { isSoak } from "../soak/size.ts"

const messages = isSoak ? 10_000 : 2_000

const signed = (message: Partial<SignedMessage> & { readonly body: string | Uint8Array }) =>
  signedHeaders({
    id: "msg_test",
    attempt: 1,
    secrets: [Redacted.make(workedSecret)],
    at: Date.now(),
    ...message,
  })

const made = <A>(
  make: (random: SecureRandom.SecureRandom["Service"]) => Effect.Effect<A>,
): Promise<A> =>
  SecureRandom.SecureRandom.pipe(
    Effect.flatMap(make),
    Effect.provide(SecureRandom.layerWebCrypto),
    Effect.runPromise,
  )

const randomSecret = () => `whsec_${randomBytes(32).toString("base64")}`

describe("the worked example", () => {
  it.each(workedWebhooks)("$event has this id and this signature", (webhook) => {
    const { body, event, hashedEmail, id, second, sha256 } = webhook

    expect(createHash("sha256").update(body).digest("hex")).toBe(sha256)
    expect(messageIdOf(workedDelivery, event, hashedEmail)).toBe(id)
    expect(signed({ id, body, at: second * 1000 + 999 })).toEqual({
      "content-type": "application/json; charset=utf-8",
      "user-agent": `footfall-webhooks/${version}`,
      "webhook-attempt": "1",
      ...workedHeaders(webhook),
    })
  })

  it("is signed the same way from bytes", () => {
    const [{ body, id, second, signature } = expect.unreachable()] = workedWebhooks
    const headers = signed({ id, body: Buffer.from(body), at: second * 1000 })

    expect(headers["webhook-signature"]).toBe(signature)
  })
})

it("test calls say so, and attempts have their number", () => {
  expect(signed({ body: "{}", isTest: true })["webhook-test"]).toBe("true")
  expect(signed({ body: "{}", isTest: false })).not.toHaveProperty("webhook-test")
  expect(signed({ body: "{}", attempt: 8 })["webhook-attempt"]).toBe("8")
})

it("a secret is whsec_ and 32 random bytes, a message id msg_ and 26 characters without a dot", async () => {
  const secrets = await Promise.all(Array.from({ length: 100 }, () => made(newWebhookSecret)))
  const ids = await Promise.all(Array.from({ length: 100 }, () => made(newMessageId)))

  for (const secret of secrets.map(Redacted.value)) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), "base64").length).toBe(32)
  }
  for (const id of ids) expect(id).toMatch(/^msg_[a-z2-7]{26}$/)
  expect(new Set(secrets.map(Redacted.value)).size).toBe(100)
  expect(new Set(ids).size).toBe(100)
  expect(new Set(ids.map((id) => id.at(-1))).size).toBeGreaterThan(10)
})

it("an id depends only on its delivery, event and contact", () => {
  const id = messageIdOf("d1", "intent.audience.contact.upserted", "a".repeat(64))

  expect(messageIdOf("d1", "intent.audience.contact.upserted", "a".repeat(64))).toBe(id)
  expect(messageIdOf("d2", "intent.audience.contact.upserted", "a".repeat(64))).not.toBe(id)
  expect(messageIdOf("d1", "intent.audience.sync.started", "")).not.toBe(id)
  expect(messageIdOf("d1", "intent.audience.contact.upserted", "b".repeat(64))).not.toBe(id)
})

const texts = ["", "é", "日本語", "🚢", '"\\', "\u2028", "x".repeat(20_000)]

const randomBody = () => {
  const text = Array.from({ length: randomInt(0, 5) }, () => texts[randomInt(texts.length)]).join(
    "",
  )
  return JSON.stringify({ event: "webhook.test", text })
}

it(`${messages} random messages verify with the Standard Webhooks, Svix and Footfall libraries`, async () => {
  let verified = 0
  for (let index = 0; index < messages; index++) {
    const secret = randomSecret()
    const body = randomBody()
    const headers = signed({ id: `msg_${index}`, body, secrets: [Redacted.make(secret)] })
    const expected = JSON.parse(body) as unknown

    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(expected)
    // It throws on failure and returns nothing otherwise.
    expect(new SvixWebhook(secret).verify(body, headers)).toBeUndefined()
    expect(await verifyWebhook({ payload: body, headers, secret })).toEqual(expected)
    verified += 1
  }

  expect(verified).toBe(messages)
})

it("the libraries sign the same bytes as we do", () => {
  for (let index = 0; index < 1000; index++) {
    const secret = randomSecret()
    const body = randomBody()
    const at = new Date(1_773_219_901_000 + index * 1000)
    const ours = signed({
      id: "msg_x",
      body,
      secrets: [Redacted.make(secret)],
      at: at.getTime(),
    })["webhook-signature"]

    expect(new StandardWebhook(secret).sign("msg_x", at, body)).toBe(ours)
    expect(new SvixWebhook(secret).sign("msg_x", at, body)).toBe(ours)
  }
})

it("one flipped bit in id, timestamp, body or signature fails in every library", () => {
  const body = randomBody()
  const headers = signed({ body })
  const flip = (text: string, bit: number) => {
    const bytes = Buffer.from(text, "latin1")
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    return bytes.toString("latin1")
  }
  const verifies = (changes: object, payload = body) => {
    const all = { ...headers, ...changes }
    return [StandardWebhook, SvixWebhook].some((Webhook) => {
      try {
        new Webhook(workedSecret).verify(payload, all)
        return true
      } catch {
        return false
      }
    })
  }
  expect(verifies({})).toBe(true)

  const ascii = body.replaceAll(/[^ -~]/g, "?")
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    for (let bit = 0; bit < headers[name]!.length * 8; bit++) {
      expect(verifies({ [name]: flip(headers[name]!, bit) }), `${name} ${bit}`).toBe(false)
    }
  }
  for (let bit = 0; bit < Math.min(ascii.length, 200) * 8; bit++) {
    expect(verifies({}, flip(ascii, bit))).toBe(false)
  }
})

describe("during a rotation", () => {
  const [old, fresh] = [randomSecret(), randomSecret()]
  const body = '{"event":"webhook.test"}'
  const verifiers = (secret: string) => [
    async (headers: Record<string, string>) => new StandardWebhook(secret).verify(body, headers),
    async (headers: Record<string, string>) => new SvixWebhook(secret).verify(body, headers),
    async (headers: Record<string, string>) => verifyWebhook({ payload: body, headers, secret }),
  ]

  it("verifiers with the old and the new secret pass; afterwards the old one fails", async () => {
    const during = signed({ body, secrets: [Redacted.make(fresh), Redacted.make(old)] })
    const after = signed({ body, secrets: [Redacted.make(fresh)] })

    for (const verify of [...verifiers(old), ...verifiers(fresh)]) {
      await expect(verify(during)).resolves.not.toThrow()
    }
    for (const verify of verifiers(fresh)) {
      await expect(verify(after)).resolves.not.toThrow()
    }
    for (const verify of verifiers(old)) await expect(verify(after)).rejects.toThrow()
  })
})
