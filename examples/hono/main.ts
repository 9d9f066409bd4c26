// Footfall inside a Hono application, through its standard handler. A Request does not include the
// client's address, so the application passes it on. PORT sets the port. Ctrl-C stops everything.
import { createFootfall } from "@footfall/server"
import { type HttpBindings, serve } from "@hono/node-server"
import { Hono } from "hono"

const addresses = new WeakMap<Request, string>()
const port = Number(process.env.PORT ?? 8080)
const footfall = await createFootfall({
  basePath: "/footfall",
  baseUrl: process.env.BASE_URL ?? `http://127.0.0.1:${port}/footfall`,
  clientAddress: (request) => addresses.get(request),
})

const app = new Hono<{ Bindings: HttpBindings }>()
app.all("/footfall/*", (context) => {
  const { remoteAddress } = context.env.incoming.socket
  if (remoteAddress !== undefined) addresses.set(context.req.raw, remoteAddress)
  return footfall.fetch(context.req.raw)
})
app.get("/", (context) => context.text("This is the application itself.\n"))

const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  console.log(`http://127.0.0.1:${port}/footfall/docs`)
})

process.once("SIGINT", () => {
  server.close(() => void footfall.close())
  if ("closeIdleConnections" in server) server.closeIdleConnections()
})
