// Runs every command and program of the documentation as a reader would: one terminal per page, against the server of
// `npm start`. A block that isn't run says why on its page, and is counted here.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { testDatabaseUrl } from "../support/database.ts"
import {
  killLeftServers,
  makeServerHome,
  type ServerHome,
  ServerProcess,
} from "../support/server-process.ts"
import { type MailerProvider, startMailerProvider } from "../destinations/mailer-provider.ts"
import { givenOf } from "./given.ts"
import { makePrograms, type Programs } from "./programs.ts"
import { pages, type Snippet, snippetsOf } from "./snippets.ts"
import { runPage } from "./terminal.ts"

/** Pages whose blocks another test runs and checks in more detail. */
const heldBy: Readonly<Record<string, string>> = {
  "docs/reference/webhooks.md ts": "packages/sdk/test/webhooks/guide.test.ts",
  "docs/operations/backup-and-restore.md sh": "packages/server/test/operations/backup.test.ts",
  "docs/explanation/signals.md sh": "packages/server/test/topics/clickhouse/server.test.ts",
}

const files = await pages()
const snippets = (await Promise.all(files.map(snippetsOf))).flat()
const isHeld = ({ file, language }: Snippet) => `${file} ${language}` in heldBy
const toRun = (...languages: ReadonlyArray<string>) =>
  snippets.filter(
    (one) => languages.includes(one.language) && one.notRun === undefined && !isHeld(one),
  )

let home: ServerHome
let server: ServerProcess
let site: Server
let provider: MailerProvider
let database: Awaited<ReturnType<typeof testDatabaseUrl>>
let programs: Programs
/** The reader's values after `npm start`, under the names that the pages use. */
let variables: Readonly<Record<string, string>>

beforeAll(async () => {
  provider = await startMailerProvider("mailer-key-1")
  provider.addList({ id: "buyers" })
  home = await makeServerHome({
    ALLOW_PRIVATE_WEBHOOKS: "on",
    RATE_LIMITS: "off",
    MAILER_BASE_URL: provider.url,
  })
  server = ServerProcess.launch(home, "--demo")
  database = await testDatabaseUrl()
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html")
    response.end("<title>Acme</title><h1>Warehouse management software and freight visibility</h1>")
  }).listen(0, "127.0.0.1")
  programs = await makePrograms(snippets.filter(({ language }) => language === "ts"))
  const { demo, url } = await server.ready
  if (demo === undefined) throw new Error("The server has no demo.")
  const login = await post(`${url}/v1/auth/login`, demo.owner, {})
  const key = { "x-api-key": demo.apiKey }
  const config = { topicIds: [3377, 1015, 1007, 1018], minScore: 50 }
  const audiences = `${url}/v1/intent/audiences`
  const saved = await post(audiences, { name: "Freight buyers", status: "active", config }, key)
  const other = await post(audiences, { name: "Freight buyers, West", config }, key)
  const bearer = { authorization: `Bearer ${String(login["accessToken"])}` }
  const { account } = await post(
    `${url}/v1/intent/integrations/accounts`,
    { appSlug: "mailer", accountName: "Buyers", credentials: { apiKey: "mailer-key-1" } },
    bearer,
  )
  const pixels = await fetch(`${url}/v1/data/pixels`, { headers: key })
  const { data } = (await pixels.json()) as {
    readonly data: ReadonlyArray<{ readonly id: string }>
  }
  const written = `${url}/v1/data/pixels/${data[0]!.id}/write-keys`
  const { writeKey } = await post(written, { name: "Backend" }, bearer)
  const run = await post(`${audiences}/${String(saved["id"])}/runs`, {}, key)
  expect(run["status"]).toBe("queued")
  variables = {
    B: url,
    PROVIDER: provider.url,
    K: `X-API-Key: ${demo.apiKey}`,
    KEY: demo.apiKey,
    T: `Authorization: Bearer ${login["accessToken"]}`,
    C: "Content-Type: application/json",
    AUDIENCE: String(saved["id"]),
    OTHER_AUDIENCE: String(other["id"]),
    ACCOUNT: (account as { readonly id: string }).id,
    ORGANIZATION: demo.organizationId,
    OWNER_PASSWORD: demo.owner.password,
    LISTENER: String(await freePort()),
    SITE: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    FOOTFALL_API_KEY: demo.apiKey,
    FOOTFALL_ACCESS_TOKEN: String(login["accessToken"]),
    FOOTFALL_BASE_URL: url,
    FOOTFALL_WRITE_KEY: String(writeKey),
  }
}, 120_000)

afterAll(async () => {
  site.close()
  await provider.close()
  await server.stop()
  killLeftServers()
  await database.drop()
})

const post = async (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  const { data } = (await answer.json()) as { readonly data: Readonly<Record<string, unknown>> }
  expect(answer.ok, JSON.stringify(data)).toBe(true)
  return data
}

describe("the commands of", () => {
  const shown = toRun("sh", "console")
  const ran = [...new Set(shown.map(({ file }) => file))]

  it.each(ran)("%s", async (file) => {
    const given = await givenOf(file)
    const page = await runPage(
      shown.filter((snippet) => snippet.file === file),
      given,
      {
        HOME: home.configDirectory,
        DATA_DIR: home.dataDir,
        FOOTFALL_CONFIG_DIR: home.configDirectory,
        ...variables,
      },
    )

    expect(page.exitCode, `${page.stdout.slice(-500)}\n${page.stderr.slice(-1500)}`).toBe(0)
    given.afterwards?.(page)
  })
})

const credentials = () => {
  const { FOOTFALL_ACCESS_TOKEN, FOOTFALL_API_KEY, FOOTFALL_BASE_URL, FOOTFALL_WRITE_KEY } =
    variables
  return {
    FOOTFALL_ACCESS_TOKEN: FOOTFALL_ACCESS_TOKEN!,
    FOOTFALL_API_KEY: FOOTFALL_API_KEY!,
    FOOTFALL_BASE_URL: FOOTFALL_BASE_URL!,
    FOOTFALL_WRITE_KEY: FOOTFALL_WRITE_KEY!,
  }
}

describe("the programs", () => {
  it("compile", async () => {
    expect(await programs.check()).toBe("")
  })

  it.each(toRun("ts").map((snippet) => [`${snippet.file}:${snippet.line}`, snippet] as const))(
    "%s runs",
    async (_name, snippet) => {
      await programs.run(snippet, {
        // The program's own server doesn't know this server's keys.
        ...(snippet.code.includes("@footfall/server") ? {} : credentials()),
        AUDIENCE: variables["AUDIENCE"]!,
        DATABASE_URL: database.url,
        DATA_DIR: join(home.dataDir, "..", "embedded"),
        FOOTFALL_SECRET: "a secret of the guides that no one keeps",
        NO_COLOR: "1",
      })
    },
  )
})

it("JSON and YAML blocks can be parsed", () => {
  for (const { code } of toRun("json")) expect(() => JSON.parse(code)).not.toThrow()
  for (const { code } of toRun("yaml")) expect(() => parse(code)).not.toThrow()
})

it("these blocks are not run, each for the reason on its page", () => {
  const left = snippets.filter(({ notRun }) => notRun !== undefined)

  expect(left.map(({ file, language, notRun }) => `${file} ${language}: ${notRun}`)).toEqual([
    "README.md sh: installs, builds and tests the repository itself",
    "README.md sh: needs a company's database; packages/server/test/commands runs these commands on another",
    "docs/how-to/add-an-organization.md sh: asks for a password",
    "docs/how-to/certify-an-account.md sh: needs an account at a service; packages/server/test/destinations/connectors has doubles of all of them",
    "docs/how-to/certify-an-account.md sh: needs an account at a service; packages/server/test/destinations/connectors has doubles of all of them",
    "docs/how-to/connect-an-agent.md sh: writes into the home directory; packages/cli/test/mcp-install.test.ts runs it",
    "docs/how-to/connect-an-agent.md sh: needs Claude Code",
    "docs/how-to/deliver-to-a-mailing-list.md sh: needs a delivery that failed; packages/server/test/deliveries makes them",
    "docs/how-to/embed-the-server.md ts: lives in a Next.js application; packages/server/test/examples/frameworks.test.ts builds one and opens its console",
    "docs/how-to/find-the-hottest-visitors.md console: it needs the changed file",
    "docs/how-to/install-the-tag.md sh: needs a site with the tag",
    "docs/how-to/see-what-they-read.md console: the id is made up",
    "docs/how-to/see-what-they-read.md console: the topics of visitors are found a moment after the start",
    "docs/how-to/see-what-they-read.md console: the topics of visitors are found a moment after the start",
    "docs/how-to/send-to-a-crm-by-template.md sh: needs an account at Salesforce; packages/server/test/destinations/templates.test.ts has a double",
    "docs/how-to/send-to-a-crm-by-template.md sh: needs an account at HubSpot; packages/server/test/destinations/templates.test.ts has a double",
    "docs/how-to/send-to-attio.md sh: needs an account at Attio; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-brevo.md sh: needs an account at Brevo; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-emailoctopus.md sh: needs an account at EmailOctopus; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-hubspot.md sh: needs an account at HubSpot; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-klaviyo.md sh: needs an account at Klaviyo; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-listmonk.md sh: needs an account at listmonk; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-mailchimp.md sh: needs an account at Mailchimp; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-pipedrive.md sh: needs an account at Pipedrive; packages/server/test/destinations/connectors has a double of it",
    "docs/how-to/send-to-zapier-make-or-n8n.md sh: needs an account at Zapier, Make or n8n; packages/server/test/destinations/templates.test.ts has a double of each",
    "docs/how-to/send-to-zapier-make-or-n8n.md sh: needs an account at Zapier, Make or n8n; packages/server/test/destinations/templates.test.ts has a double of each",
    "docs/how-to/send-to-zapier-make-or-n8n.md sh: needs an account at Zapier, Make or n8n; packages/server/test/destinations/templates.test.ts has a double of each",
    "docs/how-to/suppress-customers.md sh: needs an account at a service; packages/server/test/destinations/connectors has doubles of them",
    "docs/how-to/tell-a-chat-channel.md sh: needs a mail server; packages/server/test/webhooks/email.test.ts sends alerts to one",
    "docs/how-to/tell-a-chat-channel.md sh: needs a mail server; packages/server/test/webhooks/email.test.ts sends alerts to one",
    "docs/how-to/use-the-sdk.md ts: needs a call that fails",
    "docs/how-to/your-first-day.md sh: installs and starts a server of its own; packages/server/test/commands runs these commands",
    "docs/how-to/your-first-day.md sh: asks for the key",
    "docs/how-to/your-first-day.md sh: needs a site with the tag",
    "docs/how-to/your-first-day.md sh: starts a server of its own, with a file that you provide",
    "docs/how-to/your-first-day.md sh: reads a public site; packages/server/test/topics/suggestions.test.ts reads another",
    "docs/how-to/your-first-day.md sh: needs the pixel of step 2",
    "docs/how-to/your-first-day.md sh: asks for the password, and sends to your server",
    "docs/tutorial.md sh: installs and starts the repository itself; the tests of this page start the same server",
  ])
})

it("every block is run, parsed, or shows printed output", () => {
  const known = new Set([
    "sh",
    "console",
    "ts",
    "json",
    "yaml",
    "text",
    "html",
    "csv",
    "js",
    "diff",
    "mermaid",
  ])

  expect(snippets.filter(({ language }) => !known.has(language))).toEqual([])
})
