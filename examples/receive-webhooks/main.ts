// Receives webhooks from Footfall: verifies each one over its raw bytes, responds immediately, and
// processes each event once, however often it is sent. FOOTFALL_WEBHOOK_SECRET is the secret that
// was shown when the webhook was created.
import { verifyWebhook, WebhookVerificationError } from "@footfall/sdk/webhooks"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

const secret = process.env.FOOTFALL_WEBHOOK_SECRET
if (secret === undefined) throw new Error("Set FOOTFALL_WEBHOOK_SECRET to the webhook's secret.")
const done = new Set<string>() // In production, use a unique column next to what you store for the event.

const server = createServer(async (request, response) => {
  try {
    const payload = await buffer(request)
    const event = await verifyWebhook({ payload, headers: request.headers, secret })
    response.writeHead(204).end()
    if (done.has(event.id)) return
    done.add(event.id)
    switch (event.event) {
      case "visitor.identified":
        console.log(`new visitor: ${event.email ?? event.emailHash} of ${event.companyName}`)
        break
      case "intent.audience.contact.upserted":
        console.log(`contact ${event.data.change}: ${event.data.contact.email}`)
        break
      default:
        console.log(event.event)
    }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    console.error(`refused: ${error.message}`) // Otherwise only Footfall's log of deliveries has the reason.
    response.writeHead(400).end(error.message)
  }
})

const port = Number(process.env.PORT ?? 8080)
server.listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`))
process.once("SIGINT", () => {
  server.close()
  server.closeIdleConnections()
})
