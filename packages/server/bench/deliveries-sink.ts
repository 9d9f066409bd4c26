// A receiver that responds with 204 and counts requests, in its own process: node
// deliveries-sink.ts <port>. `GET /` returns the count and the time of the first contact (epoch
// milliseconds). `DELETE /` resets both.
import { createServer } from "node:http"

let count = 0
let firstContactAt: number | null = null

createServer((request, response) => {
  if (request.method === "GET") return response.end(JSON.stringify({ count, firstContactAt }))
  if (request.method === "DELETE") {
    count = 0
    firstContactAt = null
    return response.writeHead(204).end()
  }
  if (firstContactAt === null) {
    request.on("data", (chunk: Buffer) => {
      if (chunk.includes("contact.upserted")) firstContactAt ??= Date.now()
    })
  } else request.resume()
  request.on("end", () => {
    count++
    response.writeHead(204).end()
  })
}).listen(Number(process.argv[2]), "127.0.0.1")
