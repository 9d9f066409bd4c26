// Footfall inside an application: it serves /footfall, and the application serves everything else.
// PORT sets the port. Ctrl-C finishes open requests and stops the database.
import { createServer } from "node:http"
import { createFootfall } from "@footfall/server"

const port = Number(process.env.PORT ?? 8080)
const footfall = await createFootfall({
  basePath: "/footfall",
  baseUrl: process.env.BASE_URL ?? `http://127.0.0.1:${port}/footfall`,
})

const server = createServer((request, response) => {
  if (/^\/footfall([/?]|$)/.test(request.url ?? "")) return footfall.listener(request, response)
  response.setHeader("content-type", "text/plain").end("This is the application itself.\n")
})

server.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/footfall/docs`)
})

process.once("SIGINT", () => {
  server.close(() => void footfall.close())
  server.closeIdleConnections()
})
