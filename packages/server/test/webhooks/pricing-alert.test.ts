// The first use case of the README, as its guide says: the commands of docs/how-to/tell-a-chat-channel.md with the built
// command line, and visits that read the pricing page.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import type { TestServer } from "../support/server.ts"
import { type Receiver, startReceiver } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

const file = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))

let server: TestServer
let receiver: Receiver
let customer: Customer

beforeAll(async () => {
  server = await startSite()
  receiver = await startReceiver()
  customer = await Customer.of(server)
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

/** Runs the guide's command in a shell, with the channel's URL replaced. */
const run = async (command: string) => {
  const bin = `node ${file("packages/cli/bin/footfall.js")}`
  const child = spawn(
    "sh",
    [
      "-ec",
      command
        .replace(/https:\/\/hooks\.slack\.com\S+/, `${receiver.url}/pricing`)
        .replaceAll(/^footfall/gm, bin),
    ],
    {
      env: {
        PATH: process.env["PATH"],
        TMPDIR: process.env["TMPDIR"],
        HOME: process.env["HOME"],
        FOOTFALL_CONFIG_DIR: temporaryFolder("cli"),
        FOOTFALL_BASE_URL: server.url,
        FOOTFALL_API_KEY: customer.organization.apiKey,
      },
    },
  )
  child.stdin.end()
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ])
  if (code !== 0) throw new Error(err)
  return out
}

it("the alert of the guide sends a message for the first visit of the pricing page and for the second", async () => {
  const guide = await readFile(file("docs/how-to/tell-a-chat-channel.md"), "utf8")
  const [create] = /^footfall webhooks create [^]*?\/pricing$/m.exec(guide) ?? []
  await run(create!)
  const email = `${randomUUID()}@acme.example`
  const titles = async (count: number) =>
    (await receiver.waitFor(count, "/pricing")).map(({ event }) => event["text"])

  const anonymousId = await customer.visit({ email, paths: ["/", "/docs"] })
  await customer.visit({ anonymousId, paths: ["/pricing"] })
  await customer.visit({ anonymousId, paths: ["/pricing"] })
  const visited = `${email} viewed /pricing on tidewater.example`
  expect(await titles(1)).toEqual([visited])

  await customer.pass(3_600)
  await customer.visit({ anonymousId, paths: ["/pricing"] })
  expect(await titles(2)).toEqual([visited, visited])

  await customer.pass(3_600)
  await customer.visit({ anonymousId, paths: ["/docs"] })
  await customer.visit({ email: `${randomUUID()}@acme.example`, paths: ["/pricing/teams"] })
  expect((await titles(3))[2]).toContain("viewed /pricing/teams")
})
