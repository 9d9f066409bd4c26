// An application that uses the SDK in a Worker. It creates the clients once, outside of any request, as the
// documentation says. Each path is one use.
import { env } from "cloudflare:workers"
import { Footfall, NotFoundError, type RuleAst } from "@footfall/sdk"
import { signTestWebhook, verifyWebhook, WebhookVerificationError } from "@footfall/sdk/webhooks"

const footfall = new Footfall({ baseUrl: env.BASE_URL, apiKey: env.API_KEY })
const owner = new Footfall({ baseUrl: env.BASE_URL, accessToken: env.ACCESS_TOKEN })
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const uses: Readonly<Record<string, (request: Request, url: URL) => Promise<unknown>>> = {
  "/list": async () => {
    const values: Array<string> = []
    for await (const { value } of footfall.suppression.list({ limit: 2 })) values.push(value)
    return values
  },
  "/create": async (_request, { searchParams }) => {
    const ruleAst: RuleAst = {
      version: 1,
      rule: { all: [{ field: "contact.email_domain", op: "eq", value: "acme.example" }] },
    }
    const segment = await footfall.segments.create({ name: searchParams.get("name")!, ruleAst })
    return { name: segment.name }
  },
  "/get": async (_request, { searchParams }) => {
    const call = footfall.pixels.get(searchParams.get("id")!)
    const { data, requestId, status } = await call.withResponse()
    return { domain: data.domain, hasRequestId: requestId !== null, status }
  },
  "/refused": () =>
    footfall.pixels.get("cdd19037-47fb-4e21-a054-2da787925aea").catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error
      const { code, requestId, status } = error
      return { code, status, hasRequestId: requestId !== null }
    }),
  "/download": async (_request, { searchParams }) => {
    const [audienceId, runId] = [searchParams.get("audience")!, searchParams.get("run")!]
    const file = await footfall.runs.exportCsv(audienceId, runId)
    return new Response(file.toWebStream(), { headers: { "x-file-name": file.fileName ?? "" } })
  },
  "/upload": ({ body }) => owner.imports.run("people", body!, { format: "csv" }),
  "/webhook": async ({ body, headers }) => {
    const payload = await new Response(body).arrayBuffer()
    const event = await verifyWebhook({ payload, headers, secret }).catch((error: unknown) => error)
    return event instanceof WebhookVerificationError ? { reason: event.reason } : event
  },
  "/sign": ({ body }) =>
    new Response(body).text().then((payload) => signTestWebhook({ payload, secret })),
}

export default {
  fetch: async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    try {
      const found = await uses[url.pathname]!(request, url)
      return found instanceof Response ? found : Response.json(found)
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
