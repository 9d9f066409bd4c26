// Footfall inside an application: it serves /footfall, and the application serves everything else.
// PORT sets the port. Ctrl-C finishes open requests and stops the database.
import { createServer } from "node:http"
import { createFootfall } from "@footfall/server"

const footfall = await createFootfall({ basePath: "/footfall" })

const server = createServer((request, response) => {
  if (request.url?.startsWith("/footfall/")) return footfall.listener(request, response)
  response.setHeader("content-type", "text/plain").end("This is the application itself.\n")
})

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${process.env.PORT ?? 8080}/footfall/docs`)
})

process.once("SIGINT", () => {
  server.close(() => void footfall.close())
  server.closeIdleConnections()
})
