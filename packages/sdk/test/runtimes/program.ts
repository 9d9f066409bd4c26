// An application of the packed SDK in any runtime: reads a list of two pages, gets a typed error, and verifies a
// webhook. Prints one line of JSON. BASE_URL names the server.
import { Footfall, NotFoundError, result } from "@footfall/sdk"
import { signTestWebhook, verifyWebhook } from "@footfall/sdk/webhooks"

declare const Deno: { readonly env: { get(name: string): string | undefined } } | undefined

const baseUrl = typeof Deno === "undefined" ? process.env.BASE_URL : Deno.env.get("BASE_URL")
const apiKey = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"
const ways = { fetch: { fetch: globalThis.fetch }, own: {} }
const found: Record<string, unknown> = {}
for (const [way, options] of Object.entries(ways)) {
  const footfall = new Footfall({ baseUrl, apiKey, ...options })
  const emails: Array<string | null> = []
  for await (const visitor of footfall.visitors.list()) emails.push(visitor.email)
  const { error } = await result(footfall.pixels.get("cdd19037-47fb-4e21-a054-2da787925aea"))
  found[way] = { emails, refused: error instanceof NotFoundError ? error.code : String(error) }
}

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const payload = JSON.stringify({ id: "msg_1", event: "webhook.test", test: true })
const signed = await signTestWebhook({ payload, secret })
const event = await verifyWebhook({ payload: signed.body, headers: signed.headers, secret })
console.log(JSON.stringify({ ...found, event: event.event }))
