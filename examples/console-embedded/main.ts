// An application whose staff open Footfall's console from its own navigation, at /insights. The
// application decides who reaches the console, here with a password in STAFF_PASSWORD. Staff then
// sign in to Footfall itself. The pixel stays open to visitors. PORT sets the port. Ctrl-C finishes
// open requests and stops the database.
import { createFootfall } from "@footfall/server"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"

const port = Number(process.env.PORT ?? 8080)
const staffPassword = process.env.STAFF_PASSWORD ?? "staff"

const footfall = await createFootfall({
  basePath: "/insights",
  baseUrl: `http://127.0.0.1:${port}/insights`,
})

/** What websites need from Footfall. Everything else is for staff. */
const isPublic = (path: string) => /^\/insights\/(p\/|opt-out(\?|$))/.test(path)

// Hashed, so that comparing takes the same time for any input.
const hashOf = (text: string) => createHash("sha256").update(text).digest()
const expected = hashOf(`Basic ${btoa(`staff:${staffPassword}`)}`)
const isStaff = ({ headers }: IncomingMessage) =>
  timingSafeEqual(hashOf(headers.authorization ?? ""), expected)

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tidewater</title>
<nav><b>Tidewater</b> · <a href="/">Docks</a> · <a href="/insights/console">Visitors</a></nav>
<h1>Docks</h1>
<p>This is the application itself. Visitors opens the console of Footfall, for staff.</p>
</html>
`

const server = createServer((request, response) => {
  const path = request.url ?? "/"
  if (!path.startsWith("/insights/")) {
    return response.setHeader("content-type", "text/html; charset=utf-8").end(page)
  }
  // The API uses its own credentials in the same header.
  if (isPublic(path) || path.startsWith("/insights/v1/") || isStaff(request)) {
    return footfall.listener(request, response)
  }
  response.writeHead(401, { "www-authenticate": 'Basic realm="Staff"' }).end("Staff only.\n")
})

server.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${port}/`)
})

process.once("SIGINT", () => {
  server.close(() => void footfall.close())
  server.closeIdleConnections()
})
