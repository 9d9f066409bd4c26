// Runs the commands of docs/operations/backup-and-restore.md exactly as printed: the data of a stopped server is
// restored in another directory, with the secret that opens it.
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { expect, inject, test } from "vitest"
import { createFootfall } from "../../src/app/index.ts"
import { run } from "../commands/command.ts"

const commands = async () => {
  const text = await readFile(
    new URL("../../../../docs/operations/backup-and-restore.md", import.meta.url),
    "utf8",
  )
  return [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, command]) => command!)
}

const embedded = (dataDir: string) =>
  createFootfall({ databaseUrl: null, dataDir, workers: false, baseUrl: "http://localhost:4100" })

test("the embedded database is restored with its keys and its secret", async () => {
  const [backUp, restore] = await commands()
  const dataDir = join(inject("temporaryDirectory"), `backup-${randomUUID()}`)
  const environment = {
    DATA_DIR: dataDir,
    BACKUP: `${dataDir}.tar.gz`,
    PATH: process.env["PATH"],
    TMPDIR: process.env["TMPDIR"],
  }
  const made = await run(
    ["init", "--organization", "Tidewater", "--email", "owner@tidewater.example", "--json"],
    { DATA_DIR: dataDir },
  )
  expect(made.code, made.stderr).toBe(0)
  const { apiKey } = JSON.parse(made.stdout)
  const secret = await readFile(join(dataDir, "secret"), "utf8")

  // A shell reads the user's settings if its input is a socket.
  execFileSync("bash", ["--norc", "-ec", backUp!], { env: environment })
  await rm(dataDir, { recursive: true })
  execFileSync("bash", ["--norc", "-ec", restore!], { env: environment })

  expect(await readFile(join(dataDir, "secret"), "utf8")).toBe(secret)
  const server = await embedded(dataDir)
  const answer = await server.fetch(
    new Request("http://localhost:4100/v1/data/pixels", { headers: { "x-api-key": apiKey } }),
  )
  await server.close()
  expect(answer.status).toBe(200)
})
