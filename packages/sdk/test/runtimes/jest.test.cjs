// jest with its defaults runs tests as CommonJS. `npx jest` runs this in the application of packed.test.ts.
const { ConnectionError, Footfall, NotFoundError } = require("@footfall/sdk")
const { normalizeRule } = require("@footfall/sdk/normal-form")
const { verifyWebhook } = require("@footfall/sdk/webhooks")

const apiKey = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"

test("a call reaches the server, and errors have their classes", async () => {
  const footfall = new Footfall({ baseUrl: process.env.BASE_URL, apiKey })

  expect((await footfall.visitors.list()).data).toEqual([{ email: "jane@acme.example" }])
  await expect(footfall.pixels.get("a")).rejects.toThrow(NotFoundError)
  expect([typeof normalizeRule, typeof verifyWebhook]).toEqual(["function", "function"])
})

test("a refused connection says why", async () => {
  const footfall = new Footfall({ baseUrl: "http://127.0.0.1:9", apiKey, maxRetries: 0 })
  const failed = footfall.pixels.list()

  await expect(failed).rejects.toThrow(ConnectionError)
  await expect(failed).rejects.toThrow("ECONNREFUSED")
})
