// The build for browsers and edge runtimes: its imports, and how it works in a real browser.
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { build } from "esbuild"
import { chromium, type Browser, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chromiumPath, chromiumSwitches } from "../../../pixel/test/browser/support/chromium.ts"
import { accessToken, apiKey } from "../support/credentials.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

const packageDirectory = join(import.meta.dirname, "../..")

const uploadingWorker = `
  import { Footfall } from "/sdk.js"
  const footfall = new Footfall({ baseUrl: location.origin, accessToken: "${accessToken}" })
  const pieces = async function* () { yield "id,name\\n"; yield "1,Ä\\n" }
  await footfall.imports.run("topics", pieces(), { format: "csv" })
  postMessage("done")`

/** The SDK as an application would bundle it. esbuild fails on any import of a Node module. */
const bundle = async (conditions: ReadonlyArray<string>) => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export * from "@footfall/sdk"`, resolveDir: packageDirectory },
    bundle: true,
    format: "esm",
    platform: conditions.includes("browser") ? "browser" : "neutral",
    conditions: [...conditions],
    metafile: true,
    write: false,
  })
  return { text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) }
}

it.each([["browser"], ["workerd"], ["edge-light"], ["deno"], ["react-native"]])(
  "a bundle for %s contains no Node module and no undici",
  async (condition) => {
    const { inputs, text } = await bundle([condition])

    expect(inputs.filter((input) => input.includes("node_modules/undici"))).toEqual([])
    expect(text).not.toMatch(/\bimport\s*\(|\brequire\(|from\s+"|"node:(?!fs\/promises"\))/)
  },
)

describe("in a browser", needs("chromium"), () => {
  let server: Server
  let browser: Browser
  let page: Page
  let url: string
  const seen: Array<{ readonly request: IncomingMessage; readonly body: string }> = []

  beforeAll(async () => {
    const { text } = await bundle(["browser"])
    server = createServer(async (request, response) => {
      if (request.url === "/") return response.setHeader("content-type", "text/html").end("")
      if (request.url === "/sdk.js") {
        return response.setHeader("content-type", "text/javascript").end(text)
      }
      if (request.url === "/worker.js") {
        return response.setHeader("content-type", "text/javascript").end(uploadingWorker)
      }
      // The browser requests it at some point by itself.
      if (request.url === "/favicon.ico") return response.writeHead(404).end()
      let body = ""
      for await (const chunk of request) body += String(chunk)
      seen.push({ request, body })
      response.setHeader("content-type", "application/json")
      if (request.url === "/v1/data/account") response.statusCode = 403
      return response.end(
        JSON.stringify(
          request.url === "/v1/data/account"
            ? { error: { code: "FORBIDDEN", message: "No." }, meta: {} }
            : { data: [{ domain: "acme.example" }], meta: { nextCursor: null } },
        ),
      )
    }).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumSwitches] })
    page = await browser.newPage()
    await page.goto(url)
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  /** Runs the body of a function of `footfall` and `sdk` in the page. */
  const inPage = (body: string, options = `accessToken: "${accessToken}"`): Promise<unknown> =>
    page.evaluate(`(async () => {
      const sdk = await import("/sdk.js")
      const footfall = new sdk.Footfall({ baseUrl: location.origin, maxRetries: 0, ${options} })
      ${body}
    })()`)

  it("reads a list with a token, also from endpoints for keys", async () => {
    seen.length = 0
    expect(await inPage(`return (await footfall.pixels.list())[0].domain`)).toBe("acme.example")
    const { headers } = seen[0]!.request
    expect(headers.authorization).toBe(`Bearer ${accessToken}`)
    expect(headers["user-agent"]).toContain("Chrom")
  })

  it("throws the typed errors", async () => {
    const body = `return footfall.account.get().catch((e) => [e instanceof sdk.PermissionError, e.code])`
    expect(await inPage(body)).toEqual([true, "FORBIDDEN"])
  })

  it("rejects an API key", async () => {
    await expect(inPage("", `apiKey: "${apiKey}"`)).rejects.toThrow(/must not be used in a browser/)
  })

  it.each([
    ["a Blob", `new File(["id,name\\n1,Ä\\n"], "topics.csv", { type: "x/y" })`],
    ["pieces", `(async function* () { yield "id,name\\n"; yield "1,Ä\\n" })()`],
  ])("uploads %s", async (_name, source) => {
    seen.length = 0
    await inPage(`await footfall.imports.run("topics", ${source}, { format: "csv" })`)
    expect(seen[0]!.body).toBe("id,name\n1,Ä\n")
    expect(seen[0]!.request.headers["content-type"]).toContain("text/csv")
  })

  it("uploads chunks from a web worker, which cannot stream a request body", async () => {
    seen.length = 0
    await page.evaluate(`new Promise((resolve) => {
      new Worker("/worker.js", { type: "module" }).onmessage = resolve
    })`)
    expect(seen[0]!.body).toBe("id,name\n1,Ä\n")
  })

  it("rejects what only Node supports, and says what to do instead", async () => {
    await expect(inPage("", "dispatcher: {}")).rejects.toThrow(/use fetch/)
  })
})
