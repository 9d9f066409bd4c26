// A site with the pixel and a consent banner. It finds or creates the pixel for localhost and
// serves the page next to this file with the pixel's tag. The content security policy allows the
// pixel and nothing else. FOOTFALL_API_KEY sets the key, FOOTFALL_BASE_URL the server, PORT the
// port.
import { Footfall } from "@footfall/sdk"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"

const footfall = new Footfall()
const own = (await footfall.pixels.list()).find(({ domain }) => domain === "localhost")
const { code, embed } = own
  ? await footfall.pixels.get(own.id)
  : await footfall.pixels.create({ domain: "localhost", name: "Page with pixel" })

// Options of this page, in addition to the pixel's settings. For privacy options the stricter value
// wins.
const tag = code.replace("<script", '<script data-consent="required" data-email-capture="forms"')
const { connectSrc, scriptSrc } = embed.contentSecurityPolicy
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  `script-src 'self' ${scriptSrc}`,
  `connect-src ${connectSrc}`,
  "form-action 'self'",
].join("; ")

const files: { readonly [path: string]: readonly [file: string, type: string] } = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/thanks": ["index.html", "text/html; charset=utf-8"],
  "/page.css": ["page.css", "text/css"],
  "/page.js": ["page.js", "text/javascript"],
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost")
  const [file, type] = files[pathname] ?? []
  if (file === undefined) return response.writeHead(404).end()
  const text = await readFile(new URL(file, import.meta.url), "utf8")
  response.writeHead(200, {
    "content-type": type,
    "content-security-policy": contentSecurityPolicy,
  })
  return response.end(text.replace("{{pixelTag}}", () => tag))
})

const port = Number(process.env.PORT ?? 4200)
server.listen(port, () => console.log(`http://localhost:${port}/`))
process.once("SIGINT", () => {
  server.close()
  server.closeAllConnections()
})
