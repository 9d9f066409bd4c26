// Footfall inside an Express application, at /footfall and before the body parser, because Footfall
// reads bodies itself. PORT sets the port. Ctrl-C finishes open requests and stops the database.
import { createFootfall } from "@footfall/server"
import { Footfall } from "@footfall/sdk"
import express from "express"

const port = Number(process.env.PORT ?? 8080)
const footfall = await createFootfall({
  basePath: "/footfall",
  baseUrl: process.env.BASE_URL ?? `http://127.0.0.1:${port}/footfall`,
})
// The SDK without a network: the application reads its own visitors.
const client = new Footfall({ fetch: footfall.fetch, baseUrl: "http://in-process/footfall" })

const app = express()
app.use("/footfall", footfall.listener)
app.use(express.json())
app.get("/hottest-topics", async (_request, response) => {
  response.json(await client.topics.movers({ limit: 3 }))
})

const server = app.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/footfall/docs`)
})

process.once("SIGINT", () => {
  server.close(() => void footfall.close())
  server.closeIdleConnections()
})
