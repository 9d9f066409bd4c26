// Footfall inside a Fastify application, at /footfall. Fastify reads bodies before handlers run, so
// the plugin that contains Footfall turns that off. PORT sets the port. Ctrl-C stops everything.
import { createFootfall } from "@footfall/server"
import fastify, { type FastifyReply, type FastifyRequest } from "fastify"

const port = Number(process.env.PORT ?? 8080)
const footfall = await createFootfall({
  basePath: "/footfall",
  baseUrl: process.env.BASE_URL ?? `http://127.0.0.1:${port}/footfall`,
})
const handle = (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  footfall.listener(request.raw, reply.raw)
}

const app = fastify({ forceCloseConnections: "idle" })
await app.register(async (plugin) => {
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser("*", (_request, _body, done) => done(null))
  plugin.all("/footfall", handle)
  plugin.all("/footfall/*", handle)
})
app.get("/", () => "This is the application itself.\n")
app.addHook("onClose", () => footfall.close())

await app.listen({ port, host: "127.0.0.1" })
console.log(`http://127.0.0.1:${port}/footfall/docs`)

process.once("SIGINT", () => void app.close())
