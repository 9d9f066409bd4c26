// Interoperates with the Standard Webhooks library: each verifies what the other signs, for 10,000
// random messages.

import { randomBytes, randomInt } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { expect, it } from "vitest"
import { signTestWebhook, verifyWebhook } from "../../src/webhooks.ts"

const messages = 10_000
const words = ["", "x", "é", "日本", "🚢", "\u0000", '"', "\\n", "\u2028", "x".repeat(2000)]

const randomMessage = (index: number) => {
  const secret = `whsec_${randomBytes(randomInt(24, 65)).toString("base64")}`
  const text = Array.from({ length: randomInt(0, 8) }, () => words[randomInt(words.length)]).join(
    "",
  )
  return { secret, id: `msg_${index}`, payload: JSON.stringify({ event: "webhook.test", text }) }
}

it("10,000 random messages verify both ways", async () => {
  const timestamp = new Date()
  let verified = 0
  for (let index = 0; index < messages; index++) {
    const { id, payload, secret } = randomMessage(index)
    const theirs = new Webhook(secret)
    const signed = await signTestWebhook({ payload, secret, id, timestamp })

    const byThem = theirs.verify(payload, signed.headers)
    const byUs = await verifyWebhook({
      payload,
      secret,
      headers: { ...signed.headers, "webhook-signature": theirs.sign(id, timestamp, payload) },
      now: timestamp,
    })

    expect(byThem).toEqual(byUs)
    verified += 1
  }

  expect(verified).toBe(messages)
}, 60_000)

it("the vector of the standard verifies", async () => {
  const payload = '{"test": 2432232314}'
  const signed = await signTestWebhook({
    payload,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: new Date(1_614_265_330_000),
  })

  expect(signed.headers["webhook-signature"]).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  )
})
