// The three examples of every operation in the API reference: the server accepts what curl sends, the SDK and the CLI
// send the same, and the examples compile.
import { Footfall } from "@footfall/sdk"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtemp, writeFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { clientOf } from "../../scripts/api-reference/clients.ts"
import { endpoints } from "../../scripts/api-reference/contract.ts"
import { snippetsOf } from "../../scripts/api-reference/snippets.ts"
import { topics } from "../../src/app/reference/sample.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makePrograms } from "./programs.ts"
import { repository } from "./snippets.ts"

const run = promisify(execFile)
const byId = endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

/** A recorded request. */
interface Arrived {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly body: unknown
}

/** Responds as the reference says, and records the requests. */
let recorder: Server
const arrived: Array<Arrived> = []
let recorderUrl: string
let folder: string

let server: TestServer
let accessToken: string

beforeAll(async () => {
  folder = await mkdtemp(join(inject("temporaryDirectory"), "examples-"))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  recorder = createServer(async (request, response) => {
    arrived.push({
      method: request.method,
      url: request.url,
      body: bodyOf(await text(request), request.headers["content-type"]),
    })
    const { body, status, type } = answerTo(request)
    response.writeHead(status, { "content-type": type }).end(body)
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => recorder.once("listening", resolve))
  recorderUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`
  server = await startServer({ workers: false })
  accessToken = (await server.makeUser("owner")).accessToken
  await server.sql("update organization set is_operator = true")
  const imported = await fetch(`${server.url}/v1/admin/import/topics`, {
    method: "POST",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/x-ndjson" },
    body: topics.map((topic) => `${JSON.stringify(topic)}\n`).join(""),
  })
  expect(imported.status).toBe(200)
})
afterAll(async () => {
  recorder.close()
  await server.close()
})

/** What the examples send, by name. */
const files = {
  "people.ndjson": '{"email":"jane.mercer@harbor-logistics.example","firstName":"Jane"}\n',
  "suppression-rules.csv": "email\njane.mercer@harbor-logistics.example\n",
}

/** An empty body and no body mean the same. */
const bodyOf = (sent: string, type: string | undefined): unknown =>
  type?.startsWith("application/json") ? JSON.parse(sent || "{}") : sent === "" ? {} : sent

const shell = async (command: string, environment: Readonly<Record<string, string>>) => {
  const env = { PATH: process.env["PATH"], HOME: folder, ...environment }
  return run("bash", ["--norc", "-c", command], { cwd: folder, env })
}

/** The example of the response. */
const answerTo = ({ method, url = "" }: IncomingMessage) => {
  const path = url.split("?", 1)[0]!
  const { responses } = endpoints
    .filter((endpoint) => endpoint.method === method)
    .toSorted((one, other) => variables(one.path) - variables(other.path))
    .find((endpoint) => new RegExp(`^${endpoint.path.replaceAll(/{\w+}/g, "[^/]+")}$`).test(path))!
  const [status, { content = {} }] = Object.entries(responses)[0]!
  const [type = "text/plain", { example } = {}] = Object.entries(content)[0] ?? []
  const body = typeof example === "string" ? example : JSON.stringify(example)
  return { status: Number(status), type, body }
}

const variables = (path: string) => path.split("{").length

/** The last request that a command or a program sends. */
const sentBy = async (act: () => Promise<unknown>): Promise<Arrived> => {
  arrived.length = 0
  await act()
  return arrived.at(-1)!
}

const credentials = () => ({
  FOOTFALL_BASE_URL: recorderUrl,
  FOOTFALL_API_KEY: `sk_${"0".repeat(43)}`,
  FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
})

const sentByCurl = (curl: string) =>
  sentBy(() => shell(curl.replace("curl ", "/usr/bin/curl -sS "), credentials()))

/** Statuses that reject the request itself. */
const refusals = [400, 401, 405, 413, 415, 422, 500]

/** Example secrets and sites are rejected, but nothing else is wrong with the request. */
const isRight = (operationId: string, body: string): boolean => {
  const { code, details } = JSON.parse(body || "{}").error ?? {}
  return (
    (code === "AUTHENTICATION_ERROR" && /^(auth|passwords)\./.test(operationId)) ||
    code === "SITE_UNREADABLE" ||
    ["expired_token", "wrong_password"].includes(details?.reason)
  )
}

describe("curl", () => {
  it.each(byId)(
    "%s is accepted by a server, although the objects in the example do not exist",
    async (_id, endpoint) => {
      const { curl } = snippetsOf(endpoint)
      const { stdout } = await shell(
        curl.replace("curl ", "/usr/bin/curl -sS -w '\\n%{http_code}' "),
        {
          FOOTFALL_BASE_URL: server.url,
          FOOTFALL_API_KEY: server.apiKey,
          FOOTFALL_ACCESS_TOKEN: accessToken,
        },
      )
      const [, body = "", status] = /^([^]*)\n(\d+)$/.exec(stdout)!

      expect(body).not.toContain("No endpoint at this path.")
      expect(refusals, body).not.toContain(isRight(endpoint.operationId, body) ? 200 : +status!)
    },
  )
})

describe("the SDK", () => {
  it("compiles, every example in one program", async () => {
    const programs = await makePrograms(
      endpoints.map((endpoint) => ({
        file: endpoint.operationId,
        line: 1,
        language: "ts",
        meta: "",
        code: snippetsOf(endpoint).sdk,
        notRun: undefined,
      })),
    )

    expect(await programs.check()).toBe("")
  })

  it.each(byId)("sends the same as curl for %s", async (id, endpoint) => {
    const { curl, sdk } = snippetsOf(endpoint)
    const program = sdk
      .replaceAll(/^import .*\n/gm, "")
      .replaceAll(
        /"(?:people|people-meta|rejected)\.(?:csv|parquet)"/g,
        JSON.stringify(join(folder, randomUUID())),
      )
    const [{ FOOTFALL_ACCESS_TOKEN, FOOTFALL_API_KEY, FOOTFALL_BASE_URL }] = [credentials()]
    class Client extends Footfall {
      constructor() {
        super({
          baseUrl: FOOTFALL_BASE_URL,
          apiKey: FOOTFALL_API_KEY,
          accessToken: FOOTFALL_ACCESS_TOKEN,
        })
      }
    }
    const bySdk = await sentBy(() =>
      new AsyncFunction("Footfall", "createReadStream", program)(
        Client,
        (name: keyof typeof files) => [files[name]],
      ),
    )

    const byCurl = await sentByCurl(curl)
    expect(bySdk).toEqual(clientOf(id).sendsNothing ? { ...byCurl, body: {} } : byCurl)
  })
})

const AsyncFunction = (async () => {}).constructor as new (
  ...parametersAndBody: ReadonlyArray<string>
) => (...given: ReadonlyArray<unknown>) => Promise<void>

describe("the CLI", () => {
  const byHand = byId.filter(([id]) => clientOf(id).cli === undefined)

  it.each(byHand)("sends the same as curl for %s, which has no command", async (_id, endpoint) => {
    const { cli, curl } = snippetsOf(endpoint)
    const program = `"${process.execPath}" "${join(repository, "packages/cli/bin/footfall.js")}"`
    const byCli = await sentBy(() =>
      shell(cli.replace("footfall", program), {
        ...credentials(),
        FOOTFALL_CONFIG_DIR: join(folder, randomUUID()),
      }),
    )

    expect(byCli).toEqual(await sentByCurl(curl))
  })
})
