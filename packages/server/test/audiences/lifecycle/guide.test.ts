// The requests and the program of docs/reference/audiences.md, Save an audience, exactly as printed.
import { Footfall, PermissionError } from "@footfall/sdk"
import { readFile } from "node:fs/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics } from "../support.ts"
import { keeper, path, type Saved } from "./support.ts"

let server: TestServer
let section: string
beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [1204, 3377])
  const guide = await readFile(
    new URL("../../../../../docs/reference/audiences.md", import.meta.url),
    "utf8",
  )
  section = guide.split("\n## ").find((part) => part.startsWith("Save an audience"))!
})
afterAll(() => server.close())

const block = (language: string): string =>
  section.split(`\`\`\`${language}\n`)[1]!.split("```")[0]!

it("the requests succeed, one after the other", async () => {
  const ours = await keeper(server)
  let id = ""
  const answers: Array<readonly [number, string | undefined]> = []
  for (const line of block("sh").trim().split("\n")) {
    const [, method = "GET", at = ""] = /^curl (?:-X (\w+) )?"?\$B(\S+?)"? -H "\$K"/.exec(line)!
    const body: unknown = JSON.parse(/ -d '(.*)'$/.exec(line)?.[1] ?? "null")
    const answer = await ours.ask(`${method} ${at.replace("$ID", id)}`, body ?? undefined)
    const data: Partial<Saved> = answer.body.data
    if (method === "POST") id = data.id!
    answers.push([answer.status, data.status])
  }

  expect(answers).toEqual([
    [201, "draft"],
    [200, undefined],
    [200, "draft"],
    [200, "draft"],
    [200, "active"],
    [200, "paused"],
    [200, undefined],
  ])
})

it("the program runs, with a slot and without", async () => {
  const ours = await keeper(server)
  const said: Array<string> = []
  const body = block("ts")
    .replace(/^import .*\n/m, "")
    .replace("const footfall = new Footfall()\n", "")
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  // oxlint-disable-next-line no-implied-eval -- the program of the guide, which is ours
  const program = new AsyncFunction("footfall", "PermissionError", "console", body)
  const run = () =>
    program(new Footfall({ baseUrl: server.url, apiKey: ours.apiKey }), PermissionError, {
      log: (...words: ReadonlyArray<unknown>) => said.push(words.join(" ")),
    })

  await ours.set("intent_slots = 1")
  await run()
  await run()

  expect(said).toEqual([
    "Warehouse buyers active 0",
    "1 of 1 slots are used.",
    "Warehouse buyers active 0",
  ])
  expect((await ours.ask(`GET ${path}`)).body.meta).toMatchObject({ total: 2 })
})
