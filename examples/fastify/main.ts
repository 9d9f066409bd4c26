// Footfall inside a Fastify application, at /footfall. Fastify reads bodies before handlers run, so
// the plugin that contains Footfall turns that off. PORT sets the port. Ctrl-C stops everything.
import { createFootfall } from "@footfall/server"
import fastify from "fastify"

const footfall = await createFootfall({ basePath: "/footfall" })

const app = fastify({ forceCloseConnections: "idle" })
await app.register(async (plugin) => {
  plugin.removeAllContentTypeParsers()
  plugin.addContentTypeParser("*", (_request, _body, done) => done(null))
  plugin.all("/footfall/*", (request, reply) => {
    reply.hijack()
    footfall.listener(request.raw, reply.raw)
  })
})
app.get("/", () => "This is the application itself.\n")
app.addHook("onClose", () => footfall.close())

const port = Number(process.env.PORT ?? 8080)
await app.listen({ port, host: "127.0.0.1" })
console.log(`http://127.0.0.1:${port}/footfall/docs`)

process.once("SIGINT", () => void app.close())
