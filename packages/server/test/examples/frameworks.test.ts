// The guide about embedding as its reader would follow it: the packed server and the frameworks in a new folder, the
// guide's own programs, and what a person does first: sign in to the console, reload it, and load a pixel's tag.
import { Footfall } from "@footfall/sdk"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { repository, snippetsOf } from "../docs/snippets.ts"
import { launchChromium } from "../support/chromium.ts"
import { startServer, testSecret, type TestServer } from "../support/server.ts"
import { has } from "../../../../scripts/test-run/programs.ts"

const run = promisify(execFile)
const folder = temporaryFolder("frameworks")
const password = "a long enough password"
const installed = ["@hono/node-server", "express", "fastify", "hono"]

const snippets = await snippetsOf("docs/how-to/embed-the-server.md")
const codeWith = (text: string) => snippets.find(({ code }) => code.includes(text))!.code
/** The guide's programs by the file that contains them. */
const programs = {
  "node-http.ts": codeWith('from "node:http"'),
  "with-express.ts": codeWith('from "express"'),
  "with-fastify.ts": codeWith('from "fastify"'),
  "with-hono.ts": codeWith('from "hono"'),
}

let server: TestServer
let browser: Browser | undefined
let owner: { readonly email: string; readonly password: string }

beforeAll(async () => {
  server = await startServer({ workers: false })
  owner = await newOwner()
  if (has("chromium")) browser = await launchChromium()
  await cp(join(repository, "examples/next"), folder, { recursive: true })
  await writeFile(join(folder, "next.config.js"), codeWith("serverExternalPackages"))
  await writeFile(join(folder, "app/footfall/[[...path]]/route.ts"), codeWith("force-dynamic"))
  await run("npm", ["pack", "--pack-destination", folder], {
    cwd: join(repository, "packages/server"),
  })
  const tarball = (await readdir(folder)).find((file) => file.endsWith(".tgz"))
  const { devDependencies } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"))
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  for (const name of installed) manifest.dependencies[name] = devDependencies[name]
  manifest.dependencies["@footfall/server"] = `file:./${tarball}`
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
  const options = { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } }
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], options)
  await run("npm", ["run", "build"], options)
}, 400_000)

afterAll(async () => {
  await browser?.close()
  await server.close()
})

/** An owner with a password, as an invitation makes one. */
const newOwner = async () => {
  const { accessToken } = await server.makeUser("owner")
  const client = new Footfall({ baseUrl: server.url, accessToken })
  const email = "new.owner@tidewater.example"
  const { inviteToken } = await client.members.add(server.organizationId, { email, role: "owner" })
  await client.auth.acceptInvite({ token: inviteToken!, password })
  return { email, password }
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"],
  TMPDIR: process.env["TMPDIR"],
  NEXT_TELEMETRY_DISABLED: "1",
  DATABASE_URL: server.databaseUrl,
  FOOTFALL_SECRET: testSecret,
  LOG_LEVEL: "error",
  ...more,
})

/** Starts a program of the reader, calls `visit` with the URL of Footfall in it, and stops the program. */
const inside = async (
  args: ReadonlyArray<string>,
  { port, env }: { readonly port: number; readonly env: ReturnType<typeof environment> },
  visit: (url: string) => Promise<void>,
): Promise<void> => {
  const child = spawn(process.execPath, [...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = once(child, "exit")
  try {
    const url = `http://localhost:${port}/footfall`
    await expect
      .poll(() => fetch(`${url}/readyz`).then(({ status }) => status, String), { timeout: 60_000 })
      .toBe(200)
    await visit(url)
  } finally {
    child.kill("SIGKILL")
    await ended
  }
}

/** What every host has to pass. */
const firstVisit = async (url: string): Promise<void> => {
  const client = new Footfall({ baseUrl: url, apiKey: server.apiKey })
  const { pixels } = client
  const { embed } = await pixels.get(server.pixelId)
  const tag = /src="([^"]+)"/.exec(embed.immutable.code)![1]!
  const script = await fetch(tag)
  const front = await fetch(url, { headers: { accept: "text/html" } })
  const missing = await fetch(`${url}/v1/nothing`)
  const { added } = await client.suppression.add([
    { type: "email", value: `${crypto.randomUUID()}@fjord.example` },
  ])

  expect(tag.startsWith(`${url}/p/`)).toBe(true)
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
  expect([front.status, missing.status, added]).toEqual([200, 404, 1])
  await signInAndReload(url)
}

const signInAndReload = async (url: string): Promise<void> => {
  if (browser === undefined) return
  const context = await browser.newContext({ locale: "en-US" })
  const page = await context.newPage()
  try {
    await page.goto(`${url}/console/people`)
    await page.getByLabel("Email").fill(owner.email)
    await page.getByLabel("Password").fill(owner.password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "People" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "People" }).waitFor()

    await page.goto(`${url}/docs`)
    await page.getByRole("heading", { level: 1 }).first().waitFor()
  } finally {
    await context.close()
  }
}

it.each(Object.entries(programs))(
  "%s of the guide serves the console and tags below its path",
  async (file, code) => {
    const port = await freePort()
    await writeFile(join(folder, file), code.replaceAll("8080", String(port)))

    await inside([file], { port, env: environment() }, firstVisit)
  },
  120_000,
)

describe("the Next.js application of the guide", () => {
  it("serves the console and tags below its path, answers preflights, and leaves the rest to the application", async () => {
    const port = await freePort()
    const env = environment({ BASE_URL: `http://localhost:${port}/footfall` })

    await inside(
      ["node_modules/.bin/next", "start", "--port", String(port)],
      { port, env },
      async (url) => {
        await firstVisit(url)
        const preflight = await fetch(`${url}/v1/batch`, {
          method: "OPTIONS",
          headers: { origin: "https://tidewater.example", "access-control-request-method": "POST" },
        })
        const head = await fetch(`${url}/healthz`, { method: "HEAD" })
        const own = await fetch(new URL("/", url))

        expect(preflight.headers.get("access-control-allow-origin")).toBe("*")
        expect(head.status).toBe(200)
        expect(await own.text()).toContain("This is the application itself.")
      },
    )
  }, 120_000)

  it("is the example", async () => {
    const withoutComments = (code: string) =>
      code
        .replaceAll(/^\s*\/\/.*\n|\s*\/\/ .*$/gm, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    const example = (file: string) => readFile(join(repository, "examples/next", file), "utf8")

    for (const [file, text] of [
      ["next.config.js", "serverExternalPackages"],
      ["app/footfall/[[...path]]/route.ts", "force-dynamic"],
    ] as const)
      expect(withoutComments(await example(file))).toBe(withoutComments(codeWith(text)))
  })
})
