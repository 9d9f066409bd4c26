// `--keyring`: secrets are in the system's keyring and not in the file. No keyring runs here, so a package with the
// same interface, which keeps secrets in a folder, replaces @napi-rs/keyring.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"
import { account, apiKey, me } from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv
let directory: string
let kept: string

const standIn = `
const { readFileSync, rmSync, writeFileSync } = require("node:fs")
exports.Entry = class {
  constructor(service, account) {
    this.file = process.env.KEPT + "/" + encodeURIComponent(service + " " + account)
  }
  getPassword() {
    if (process.env.LOCKED) throw new Error("it is locked")
    try { return readFileSync(this.file, "utf8") } catch { return null }
  }
  setPassword(secret) {
    if (process.env.LOCKED) throw new Error("it is locked")
    writeFileSync(this.file, secret)
  }
  deletePassword() {
    if (process.env.LOCKED) throw new Error("it is locked")
    rmSync(this.file, { force: true })
    return true
  }
}`

beforeEach(async () => {
  api = await FakeApi.start()
  api.on("GET /v1/data/account", () => ({ data: account }))
  api.on("GET /v1/auth/me", () => ({ data: me }))
  api.on("POST /v1/auth/login", () => ({
    data: {
      accessToken: "header.claims.signature",
      tokenType: "Bearer",
      expiresIn: 3600,
      refreshToken: "rt_0123456789abcdef",
    },
  }))
  directory = configDirectory()
  kept = temporaryFolder("kept")
  const modules = temporaryFolder("modules")
  mkdirSync(join(modules, "@napi-rs/keyring"), { recursive: true })
  writeFileSync(join(modules, "@napi-rs/keyring/index.js"), standIn)
  environment = { FOOTFALL_CONFIG_DIR: directory, NODE_PATH: modules, KEPT: kept }
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (words: string, { input = "", more = {} } = {}) =>
  footfall(words.split(" "), { environment: { ...environment, ...more }, input })

const file = (): string => readFileSync(join(directory, "config.json"), "utf8")

const create = (more = {}) =>
  run(`profiles create work --base-url ${api.baseUrl} --api-key-stdin --keyring`, {
    input: apiKey,
    more,
  })

test("an API key is in the keyring, not in the file, and is sent as before", async () => {
  await create()
  const { exitCode } = await run("account")

  expect(exitCode).toBe(0)
  expect(api.requests.at(-1)?.headers["x-api-key"]).toBe(apiKey)
  expect(JSON.parse(file()).profiles.work).toEqual({ baseUrl: api.baseUrl, keyring: true })
  expect(statSync(join(directory, "config.json")).mode & 0o777).toBe(0o600)
})

test("a session is in the keyring next to the key, and signing out keeps the key", async () => {
  await create()
  await run("login --email jane@acme.example --password-stdin --keyring", { input: "password" })
  const { stdout } = await run("whoami --json")

  expect(JSON.parse(stdout).data).toMatchObject({ user: me.user, hasApiKey: true })
  expect(file()).not.toMatch(/rt_|header\.claims|sk_/)

  await run("logout")

  expect((await run("account")).exitCode).toBe(0)
  expect(file()).not.toContain("sk_")
})

test("a deleted profile is deleted from the keyring", async () => {
  await create()
  expect(readdirSync(kept)).toHaveLength(1)

  await run("profiles delete work --yes")

  expect(readdirSync(kept)).toEqual([])
})

test.each([
  ["is locked", { LOCKED: "1" }, "it is locked"],
  ["is missing", { NODE_PATH: "" }, "is not installed"],
])("a profile can be deleted when its keyring %s", async (_what, more, reason) => {
  await create()

  const { exitCode, stderr } = await run("profiles delete work --yes", { more })

  expect(stderr).toContain(reason)
  expect(stderr).toContain("The secrets of the profile work stay in the keyring")
  expect(exitCode).toBe(0)
  expect(JSON.parse(file()).profiles).toEqual({})
})

test("a locked keyring is reported and does not affect other profiles", async () => {
  await create()
  await run(`profiles create other --base-url ${api.baseUrl} --api-key-stdin`, { input: apiKey })
  const locked = { more: { LOCKED: "1" } }

  const { exitCode, stderr } = await run("account", locked)

  expect(JSON.parse(stderr).error.code).toBe("KEYRING_UNAVAILABLE")
  expect(stderr).toContain("it is locked")
  expect(exitCode).toBe(1)
  expect((await run("account --profile other", locked)).exitCode).toBe(0)
})

test("without the package, --keyring fails, says how to install it, and saves nothing", async () => {
  const { exitCode, stderr } = await create({ NODE_PATH: "" })

  expect(stderr).toContain("npm install --global @napi-rs/keyring")
  expect(exitCode).toBe(1)
  expect(readdirSync(directory)).not.toContain("config.json")
})

test("without --keyring the package is not loaded", async () => {
  await run(`profiles create plain --base-url ${api.baseUrl} --api-key-stdin`, { input: apiKey })
  const { exitCode } = await run("account", { more: { NODE_PATH: "" } })

  expect(exitCode).toBe(0)
  expect(JSON.parse(file()).profiles.plain.apiKey).toBe(apiKey)
})
