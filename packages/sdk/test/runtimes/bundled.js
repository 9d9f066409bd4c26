// A server program that an application bundles: reads a list, and verifies a webhook. Prints one line.
import { Footfall } from "@footfall/sdk"
import { signTestWebhook, verifyWebhook } from "@footfall/sdk/webhooks"

const apiKey = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"
const footfall = new Footfall({ baseUrl: process.env.BASE_URL, apiKey })
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const run = async () => {
  const { data } = await footfall.visitors.list()
  const payload = JSON.stringify({ id: "msg_1", event: "webhook.test", test: true })
  const signed = await signTestWebhook({ payload, secret })
  const event = await verifyWebhook({ payload: signed.body, headers: signed.headers, secret })
  console.log(data[0]?.email, event.event)
}
void run()
