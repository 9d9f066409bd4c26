// A site with the pixel and a consent banner: finds or makes the pixel of localhost and serves the page
// beside this file with its tag, under a content security policy that allows the pixel and nothing
// else. The key comes from FOOTFALL_API_KEY, the server from FOOTFALL_BASE_URL, the port from PORT.
import { Footfall } from "@footfall/sdk"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"

const footfall = new Footfall()
const own = (await footfall.pixels.list()).find(({ domain }) => domain === "localhost")
const { code, embed } = own
  ? await footfall.pixels.get(own.id)
  : await footfall.pixels.create({ domain: "localhost", name: "Page with pixel" })

// What this page asks of the pixel, over what its settings say; for privacy the stricter of both wins.
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
