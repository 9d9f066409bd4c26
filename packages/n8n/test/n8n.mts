// The nodes in a real n8n, against a real Footfall: `npm run test:n8n`. The first run installs n8n and its linter, two
// gigabytes, in the system's temporary folder, so this is no part of `npm test`. n8n has its own home folder and its own
// Postgres, and listens on loopback alone.
import assert from "node:assert/strict"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { NodeServices } from "@effect/platform-node"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Footfall } from "@footfall/sdk"
import { startTestServer, type TestServer } from "@footfall/server/testing"
import { startEmbedded } from "../../server/src/platform/database/embedded.ts"
import { url as databaseUrl } from "../../server/src/platform/database/embedded/address.ts"

/** A version whose packages are all on npm, and what its own nodes are checked with. */
const n8nVersion = "2.40.7"
const linter = ["@n8n/node-cli@0.48.3", "eslint@9.29.0", "typescript@5.9.2", "n8n-workflow@2.40.1"]

const ownFolder = join(import.meta.dirname, "..")
const repository = join(ownFolder, "../..")
const cache = join(tmpdir(), `footfall-n8n-${n8nVersion}`)
const home = mkdtempSync(join(tmpdir(), "footfall-n8n-home-"))

/** How long n8n may take to start on a busy machine. Units: milliseconds. */
const startMs = 180_000
const pollMs = 250

const run = (command: string, words: ReadonlyArray<string>, cwd: string): string =>
  execFileSync(command, words, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  })

const npm = (words: ReadonlyArray<string>, cwd: string) => run("npm", words, cwd)

/** Installs packages once; install scripts would download prebuilt programs that nothing here needs. */
const install = (folder: string, packages: ReadonlyArray<string>): string => {
  const at = join(cache, folder)
  if (existsSync(join(at, "complete"))) return at
  rmSync(at, { recursive: true, force: true })
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, "package.json"), '{ "private": true }')
  npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], at)
  writeFileSync(join(at, "complete"), "")
  return at
}

async function until<A>(what: string, look: () => Promise<A | undefined>, ms = 60_000): Promise<A> {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`This did not happen in time: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const scope = Scope.makeUnsafe()
let footfallServer: TestServer
let footfall: Footfall
let n8n: ChildProcess
let n8nUrl: string
let cookie = ""
let credential: { readonly id: string; readonly name: string }
/** Receives what the triggers of workflows pass on. */
let receiver: Server
const received: Array<Record<string, unknown>> = []

after(async () => {
  if (n8n?.exitCode === null) {
    const end = new Promise((resolve) => n8n.once("exit", resolve))
    n8n.kill("SIGKILL")
    await end
  }
  receiver?.closeAllConnections()
  receiver?.close()
  await footfallServer?.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(home, { recursive: true, force: true })
})

describe("the package", () => {
  it("passes n8n's own rules and the official types", () => {
    const lint = install("lint", linter)
    const copy = join(lint, "package")
    rmSync(copy, { recursive: true, force: true })
    for (const name of [
      "credentials",
      "nodes",
      "icons",
      "package.json",
      "tsconfig.json",
      "eslint.config.mjs",
      "README.md",
    ]) {
      cpSync(join(ownFolder, name), join(copy, name), { recursive: true })
    }
    const sdk = join(lint, "node_modules/@footfall/sdk")
    mkdirSync(join(sdk, ".."), { recursive: true })
    rmSync(sdk, { force: true })
    symlinkSync(join(repository, "packages/sdk"), sdk)

    run("../node_modules/.bin/tsc", ["-p", "."], copy)
    run("../node_modules/.bin/eslint", ["--max-warnings", "0", "."], copy)
  })

  it("has no dependencies, and only the files that n8n loads", () => {
    const [packed] = JSON.parse(npm(["pack", "--json", "--pack-destination", home], ownFolder)) as [
      { readonly files: ReadonlyArray<{ readonly path: string }> },
    ]
    const { dependencies } = JSON.parse(readFileSync(join(ownFolder, "package.json"), "utf8"))

    assert.equal(dependencies, undefined)
    assert.deepEqual(packed.files.map(({ path }) => path).toSorted(), [
      "README.md",
      "dist/credentials/FootfallApi.credentials.js",
      "dist/icons/footfall.dark.svg",
      "dist/icons/footfall.svg",
      "dist/nodes/Footfall/Footfall.node.js",
      "dist/nodes/Footfall/Footfall.node.json",
      "dist/nodes/FootfallTrigger/FootfallTrigger.node.js",
      "dist/nodes/FootfallTrigger/FootfallTrigger.node.json",
      "package.json",
    ])
  })
})

describe("in n8n", () => {
  before(async () => {
    const program = install("n8n", [`n8n@${n8nVersion}`])
    const nodes = join(home, ".n8n/nodes")
    mkdirSync(nodes, { recursive: true })
    writeFileSync(join(nodes, "package.json"), '{ "private": true }')
    const { version } = JSON.parse(readFileSync(join(ownFolder, "package.json"), "utf8"))
    npm(
      ["install", "--no-audit", "--no-fund", join(home, `n8n-nodes-footfall-${version}.tgz`)],
      nodes,
    )

    footfallServer = await startTestServer({ sample: true })
    footfall = new Footfall({ baseUrl: footfallServer.url, apiKey: footfallServer.apiKey })
    const port = await freePort()
    n8nUrl = `http://127.0.0.1:${port}`
    n8n = spawn(process.execPath, [join(program, "node_modules/n8n/bin/n8n"), "start"], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, ...(await settings(port)) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const log: Array<string> = []
    for (const stream of [n8n.stdout, n8n.stderr])
      stream?.on("data", (text) => log.push(String(text)))
    n8n.once("exit", (code) => code && console.error(`n8n ended with ${code}:\n${log.join("")}`))
    await until(
      "n8n is ready",
      () =>
        fetch(`${n8nUrl}/healthz/readiness`).then(
          ({ ok }) => ok || undefined,
          () => undefined,
        ),
      startMs,
    )
    const response = await until("n8n answers", async () => {
      const answer = await fetch(`${n8nUrl}/rest/owner/setup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          email: "owner@footfall.example",
          firstName: "O",
          lastName: "W",
          password: "Correct-horse-1",
        }),
      })
      return answer.ok ? answer : undefined
    })
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")

    receiver = createServer((request, response) => {
      let body = ""
      request.on("data", (text) => (body += String(text)))
      request.on("end", () => {
        received.push(JSON.parse(body) as Record<string, unknown>)
        response.end("{}")
      })
    }).listen(0, "127.0.0.1")
  })

  it("the credential's test passes with a key, and fails with a wrong one or another server", async () => {
    const data = { baseUrl: `${footfallServer.url}/`, apiKey: footfallServer.apiKey }
    const made = await rest<{ readonly id: string; readonly name: string }>("POST", "credentials", {
      name: "Footfall",
      type: "footfallApi",
      data,
    })
    credential = { id: made.id, name: made.name }
    const test = (tested: typeof data) =>
      rest<{ readonly status: string }>("POST", "credentials/test", {
        credentials: { id: made.id, name: made.name, type: "footfallApi", data: tested },
      })

    assert.equal((await test(data)).status, "OK")
    assert.equal((await test({ ...data, apiKey: "ff_wrong" })).status, "Error")
    assert.equal((await test({ ...data, baseUrl: "http://127.0.0.1:9" })).status, "Error")
  })

  it("gets, lists, searches and updates visitors", async () => {
    const { data: known } = await footfall.visitors.list({ timeframe: "all", limit: 1 })
    const email = known[0]!.email!

    const [got] = await acted({ resource: "visitor", operation: "get", email })
    assert.equal(got!["email"], email)

    const all = await acted({
      resource: "visitor",
      operation: "getAll",
      returnAll: true,
      filters: { timeframe: "all" },
    })
    const ids = new Set(all.map((row) => row["emailHash"]))
    const { meta } = await footfall.visitors.list({
      timeframe: "all",
      suppressed: "exclude",
      limit: 1,
    })
    assert.equal(ids.size, all.length)
    assert.equal(all.length, meta.total)
    assert.ok(all.length > 100, "the rows fill several pages")
    const some = await acted({
      resource: "visitor",
      operation: "getAll",
      limit: 120,
      filters: { timeframe: "all" },
    })
    assert.equal(some.length, 120)
    const found = await acted({
      resource: "visitor",
      operation: "getAll",
      limit: 5,
      filters: { timeframe: "all", q: email },
    })
    assert.deepEqual(
      found.map((row) => row["email"]),
      [email],
    )

    const [updated] = await acted({
      resource: "visitor",
      operation: "update",
      email: email.toUpperCase(),
      update: { tags: "n8n, hot" },
    })
    assert.deepEqual(updated!["tags"], ["hot", "n8n"])
  })

  it("gets, lists and searches companies", async () => {
    const all = await acted({
      resource: "company",
      operation: "getAll",
      limit: 3,
      filters: { timeframe: "all" },
    })
    const domain = all[0]!["domain"] as string
    const [got] = await acted({ resource: "company", operation: "get", domain })

    assert.equal(all.length, 3)
    assert.equal(got!["domain"], domain)
  })

  it("adds, checks and removes suppression rules", async () => {
    const { data } = await footfall.visitors.list({ timeframe: "all", limit: 2 })
    const email = data[1]!.email!
    const values = { resource: "suppression", type: "email", values: `${email}, no address` }

    const [added] = await acted({ ...values, operation: "add", note: "from n8n" })
    const [checked] = await acted({ resource: "suppression", operation: "check", email })
    const [removed] = await acted({ ...values, operation: "remove" })

    assert.equal(added!["insertedCount"] ?? added!["added"], 1)
    assert.equal((checked!["rules"] as ReadonlyArray<{ readonly value: string }>)[0]!.value, email)
    assert.ok(JSON.stringify(removed).includes("1"))
    assert.equal((await footfall.suppression.list({ q: email })).data.length, 0)
  })

  it("adds, gets and removes the values of a list", async () => {
    const list = await footfall.lists.create({ name: "From n8n", subject: "companies" })
    const values = {
      resource: "list",
      listId: list.id,
      values: "acme.com\nwww.globex.com, acme.com",
    }

    const [added] = await acted({ ...values, operation: "addValues" })
    const rows = await acted({
      resource: "list",
      operation: "getValues",
      listId: list.id,
      returnAll: true,
    })
    const lists = await acted({ resource: "list", operation: "getAll", returnAll: true })
    const [removed] = await acted({ ...values, operation: "removeValues", values: "globex.com" })

    assert.equal(added!["added"], 2)
    assert.deepEqual(
      rows.map((row) => row["value"]),
      ["acme.com", "globex.com"],
    )
    assert.ok(lists.some((row) => row["id"] === list.id))
    assert.equal(removed!["size"], 1)
  })

  it("erases a visitor, and then says in the API's words that there is no such person", async () => {
    const { data } = await footfall.visitors.list({ timeframe: "all", limit: 1 })
    const email = data[0]!.email!

    const [erased] = await acted({ resource: "visitor", operation: "erase", email })
    const again = await acted(
      { resource: "visitor", operation: "erase", email },
      { onError: "continueRegularOutput" },
    )
    const unread = await acted(
      { resource: "visitor", operation: "getAll", filters: { q: "x".repeat(101) } },
      { onError: "continueRegularOutput" },
    )

    assert.equal(erased!["deleted"], true)
    assert.deepEqual(again, [{ error: "Not found." }])
    assert.match(String(unread[0]!["error"]), /\/query\/q/)
  })

  it("the trigger starts a workflow for an alert, only with Footfall's signature, and takes its webhook along", async () => {
    const id = await activated("Alerts", { source: "alert", trigger: "company_seen" })
    const named = async () =>
      (await footfall.webhooks.list()).find(({ name }) => name === "n8n: Alerts")
    const webhook = await until("the workflow has its webhook", named)

    assert.equal(webhook.trigger, "company_seen")
    const forged = await fetch(webhook.url!, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": "x",
        "webhook-timestamp": `${Math.floor(Date.now() / 1000)}`,
        "webhook-signature": "v1,AAAA",
      },
      body: JSON.stringify({ event: "company.identified" }),
    })
    assert.equal(forged.status, 401)

    const { ok } = await footfall.webhooks.test(webhook.id)
    assert.equal(ok, true)
    await until("the alert starts the workflow", async () =>
      received.find(({ event }) => event === "webhook.test"),
    )
    assert.equal(
      received.some(({ event }) => event === "company.identified"),
      false,
    )

    await deactivate(id)
    await until("its webhook is gone", async () =>
      (await named()) === undefined ? true : undefined,
    )
  })

  it("the trigger starts a workflow for each person of an audience, and takes its destination along", async () => {
    const [topic] = await footfall.topics.search({ q: "freight" })
    const audience = await footfall.audiences.create({
      name: "For n8n",
      status: "active",
      config: { topicIds: [topic!.topicId], minScore: 95 },
    })
    const { resultCount } = await footfall.runs.start(audience.id).wait()
    const id = await activated("Audience", {
      source: "audience",
      audienceId: audience.id,
      events: ["intent.audience.contact.upserted"],
    })
    const destination = await until("the workflow has its destination", async () => {
      const [only] = await footfall.destinations.list(audience.id)
      return only?.status === "active" ? only : undefined
    })

    const owner = new Footfall({
      baseUrl: footfallServer.url,
      accessToken: footfallServer.owner.accessToken,
    })
    await owner.deliveries.sync(audience.id, destination.id)

    const people = () =>
      new Set(
        received
          .filter(({ event }) => event === "intent.audience.contact.upserted")
          .map(({ id }) => id),
      )
    await until(
      `all ${resultCount} people reach the workflow`,
      async () => (people().size >= resultCount ? true : undefined),
      180_000,
    )
    assert.ok(resultCount > 0)
    await deactivate(id)
    await until("its destination is gone", async () =>
      (await footfall.destinations.list(audience.id)).length === 0 ? true : undefined,
    )
  })
})

/** n8n's settings: its own database, and no requests to anyone but us. */
const settings = async (port: number): Promise<Record<string, string>> => {
  const address = await startEmbedded(join(home, "postgres")).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Scope.Scope, scope),
    Effect.runPromise,
  )
  const found = new URL(Redacted.value(databaseUrl(address)))
  return {
    DB_TYPE: "postgresdb",
    DB_POSTGRESDB_HOST: found.searchParams.get("host") ?? found.hostname,
    DB_POSTGRESDB_PORT: found.port || "5432",
    DB_POSTGRESDB_USER: found.username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(found.password),
    DB_POSTGRESDB_DATABASE: "postgres",
    N8N_PORT: String(port),
    N8N_LISTEN_ADDRESS: "127.0.0.1",
    N8N_HOST: "127.0.0.1",
    WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    N8N_SECURE_COOKIE: "false",
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
    N8N_TEMPLATES_ENABLED: "false",
    N8N_PERSONALIZATION_ENABLED: "false",
    N8N_RUNNERS_ENABLED: "false",
    N8N_USER_FOLDER: home,
  }
}

/** Asks n8n's own API, as its editor does. */
async function rest<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${n8nUrl}/rest/${path}`, {
    method,
    headers: { cookie, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { readonly data: Data }).data
}

interface Workflow {
  readonly id: string
  readonly versionId: string
}

const activate = async (
  name: string,
  nodes: ReadonlyArray<{ readonly name: string }>,
): Promise<string> => {
  const [first, second] = nodes
  const { id, versionId } = await rest<Workflow>("POST", "workflows", {
    name,
    active: false,
    nodes: nodes.map((node, at) => ({ id: crypto.randomUUID(), position: [at * 200, 0], ...node })),
    connections: { [first!.name]: { main: [[{ node: second!.name, type: "main", index: 0 }]] } },
    settings: {},
  })
  await rest("POST", `workflows/${id}/activate`, { versionId })
  return id
}

const deactivate = (id: string) => rest("POST", `workflows/${id}/deactivate`, {})

let actions = 0

/** What the action node gives for one item, with these parameters, when a workflow calls it. */
const acted = async (
  parameters: object,
  more: object = {},
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const path = `action-${++actions}`
  const id = await activate(path, [
    {
      name: "Webhook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      webhookId: crypto.randomUUID(),
      parameters: {
        path,
        httpMethod: "POST",
        responseMode: "lastNode",
        responseData: "allEntries",
      },
    },
    {
      name: "Footfall",
      type: "n8n-nodes-footfall.footfall",
      typeVersion: 1,
      credentials: { footfallApi: credential },
      parameters,
      ...more,
    },
  ] as never)
  // n8n activates a workflow some time after it has said so.
  const response = await until("the workflow can be called", async () => {
    const answer = await fetch(`${n8nUrl}/webhook/${path}`, { method: "POST" })
    return answer.status === 404 ? undefined : answer
  })
  const text = await response.text()
  await deactivate(id)
  if (!response.ok) throw new Error(`${JSON.stringify(parameters)}: ${response.status} ${text}`)
  return JSON.parse(text) as ReadonlyArray<Record<string, unknown>>
}

/** An active workflow that passes what the trigger node gives on to the receiver. */
const activated = (name: string, parameters: object): Promise<string> => {
  const { port } = receiver.address() as AddressInfo
  return activate(name, [
    {
      name: "Footfall Trigger",
      type: "n8n-nodes-footfall.footfallTrigger",
      typeVersion: 1,
      webhookId: crypto.randomUUID(),
      credentials: { footfallApi: credential },
      parameters,
    },
    {
      name: "Receiver",
      type: "n8n-nodes-base.httpRequest",
      typeVersion: 4.2,
      parameters: {
        method: "POST",
        url: `http://127.0.0.1:${port}/`,
        sendBody: true,
        specifyBody: "json",
        jsonBody: "={{ JSON.stringify($json) }}",
      },
    },
  ] as never)
}
