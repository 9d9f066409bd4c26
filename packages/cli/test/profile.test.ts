// The profile commands as a user runs them, their file, and the precedence of flag, environment and profile (spec 1.1).

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfall, type Outcome } from "./fixtures/footfall.ts"
import { apiKey, otherApiKey } from "./fixtures/records.ts"

let directory: string
let file: string

beforeEach(() => {
  directory = join(configDirectory(), "below")
  file = join(directory, "config.json")
})

const run = (
  words: string,
  options: { environment?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Outcome> =>
  footfall(words.split(" "), {
    ...options,
    environment: { FOOTFALL_CONFIG_DIR: directory, ...options.environment },
  })

const add = (words: string, key = apiKey): Promise<Outcome> =>
  run(`profiles create ${words} --api-key-stdin`, { input: `${key}\n` })

const stored = (): unknown => JSON.parse(readFileSync(file, "utf8"))

describe("the file", () => {
  test("has the format that the server's demo start writes too", async () => {
    const { exitCode, stdout, stderr } = await add("demo")

    expect(readFileSync(file, "utf8")).toBe(`{
  "current": "demo",
  "profiles": {
    "demo": {
      "baseUrl": "http://127.0.0.1:4100",
      "apiKey": "${apiKey}"
    }
  }
}
`)
    expect(JSON.parse(stdout).data).toEqual({
      name: "demo",
      isCurrent: true,
      baseUrl: "http://127.0.0.1:4100",
      apiKey: "sk_0123…EDWO",
      email: null,
    })
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  })

  test("is readable only by its owner, like its directory", async () => {
    await add("demo")

    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test("becomes private again when it is written", async () => {
    await add("demo")
    chmodSync(file, 0o644)

    await add("other")

    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test("leaves no other file next to it", async () => {
    await add("demo")
    await add("other")

    expect(readdirSync(directory)).toEqual(["config.json"])
  })

  test("causes a warning if others can read it, and is still used", async () => {
    await add("demo")
    chmodSync(file, 0o640)

    const { exitCode, stdout, stderr } = await run("profiles list")

    expect(stderr).toMatch(/^warning: Other users can read the keys in .* Run: chmod 600/)
    expect(JSON.parse(stdout).data).toHaveLength(1)
    expect(exitCode).toBe(0)
  })

  test.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["without profiles", `{"current": null}`],
    ["with an invalid key", `{"current": null, "profiles": {"a": {"baseUrl": "a", "apiKey": 1}}}`],
    [
      "with half a session",
      `{"current": null, "profiles": {"a": {"baseUrl": "a", "session": {"email": "a@b"}}}}`,
    ],
    ["with a current that is a number", `{"current": 1, "profiles": {}}`],
  ])("is rejected and left unchanged if it is %s", async (_what, text) => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, text, { mode: 0o600 })

    const { exitCode, stderr } = await add("demo")

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "CONFIG_UNREADABLE",
      message: `The configuration file ${file} is not a footfall configuration. Fix or delete the file.`,
    })
    expect(readFileSync(file, "utf8")).toBe(text)
    expect(exitCode).toBe(1)
  })

  test("keeps fields that this version does not know", async () => {
    mkdirSync(directory, { recursive: true })
    const newer = { current: null, profiles: {}, theme: "dark" }
    writeFileSync(file, JSON.stringify(newer), { mode: 0o600 })

    await add("demo")

    expect(stored()).toMatchObject({ current: "demo", theme: "dark" })
  })
})

describe("profiles create", () => {
  test("makes the first profile current, a later one only with --use", async () => {
    await add("first")
    await add("second")
    expect(stored()).toMatchObject({ current: "first" })

    await add("third --use")
    expect(stored()).toMatchObject({ current: "third" })
  })

  test("says which profile is current, and how to switch", async () => {
    const first = await add("one --output table")
    const second = await add("two --output table", otherApiKey)

    expect(first.stdout).toContain("now the current profile")
    expect(second.stdout).toContain(
      "The current profile is still one. To switch: footfall profiles use two",
    )
  })

  test("with a name in use is a conflict and changes nothing", async () => {
    await add("prod")

    const { exitCode, stderr } = await add("prod", otherApiKey)

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "PROFILE_EXISTS",
      message: expect.stringContaining("footfall profiles update prod"),
    })
    expect(stored()).toMatchObject({ profiles: { prod: { apiKey } } })
    expect(exitCode).toBe(6)
  })

  test("without a terminal and without --api-key-stdin is a usage error", async () => {
    const { exitCode, stderr } = await run("profiles create demo", { input: apiKey })

    expect(JSON.parse(stderr).error.message).toContain("this is not a terminal")
    expect(exitCode).toBe(2)
  })

  test.each([
    ["one character short", apiKey.slice(0, -1), "got 45 characters"],
    ["one character long", `${apiKey}x`, "got 47 characters"],
    ["empty", "", "got 0 characters"],
    ["a whole file", "x".repeat(1025), "more than 1024 characters"],
  ])("rejects a key that is %s and does not print it", async (_what, key, message) => {
    const { exitCode, stderr } = await add("demo", key)

    expect(stderr).toContain(message)
    expect(stderr).not.toContain(apiKey.slice(0, 20))
    expect(exitCode).toBe(2)
    expect(() => stored()).toThrow("ENOENT")
  })

  test.each(["-a", ".a", "a/b", "__proto__", "x".repeat(65)])(
    "rejects the name %s",
    async (name) => {
      const { exitCode } = await run(`profiles create --api-key-stdin -- ${name}`, {
        input: apiKey,
      })

      expect(exitCode).toBe(2)
    },
  )

  test.each(["a", "A.b_c-1", "constructor", "x".repeat(64)])(
    "accepts the name %s",
    async (name) => {
      const { exitCode } = await add(name)

      expect(exitCode).toBe(0)
      expect(stored()).toMatchObject({ current: name })
    },
  )
})

describe("profiles update", () => {
  const session = { email: "a@b.example", accessToken: "a", refreshToken: "b", expiresAt: "c" }
  const loggedIn = (profile: object) => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, JSON.stringify({ current: "prod", profiles: { prod: profile } }), {
      mode: 0o600,
    })
  }

  test("replaces a key and keeps the server and the session", async () => {
    loggedIn({ baseUrl: "https://footfall.example/base", apiKey, session })

    const { exitCode } = await run("profiles update prod --api-key-stdin", { input: otherApiKey })

    expect(stored()).toEqual({
      current: "prod",
      profiles: {
        prod: { baseUrl: "https://footfall.example/base", apiKey: otherApiKey, session },
      },
    })
    expect(exitCode).toBe(0)
  })

  test("with only another server keeps the key and drops the session", async () => {
    loggedIn({ baseUrl: "https://footfall.example", apiKey, session })

    const { stdout } = await run("profiles update prod --base-url https://moved.example/")

    expect(stored()).toEqual({
      current: "prod",
      profiles: { prod: { baseUrl: "https://moved.example", apiKey } },
    })
    expect(JSON.parse(stdout).data.baseUrl).toBe("https://moved.example")
  })

  test("of an unknown profile is a usage error before it prompts for a key", async () => {
    const { exitCode, stderr } = await run("profiles update prod")

    expect(stderr).toContain("Profile not found")
    expect(exitCode).toBe(2)
  })
})

describe("profiles get", () => {
  test.each([
    ["the current one", "profiles get", "first"],
    ["another one", "profiles get second", "second"],
    ["the one of --profile", "profiles get --profile second", "second"],
  ])("shows %s without its key", async (_what, words, name) => {
    await add("first")
    await add("second")

    const { stdout } = await run(words)

    expect(JSON.parse(stdout).data).toMatchObject({ name, apiKey: "sk_0123…EDWO" })
  })

  test("without a current profile says how to set one", async () => {
    const { exitCode, stderr } = await run("profiles get")

    expect(stderr).toContain("Run: footfall profiles use <name>")
    expect(exitCode).toBe(2)
  })
})

describe("profiles list, use and delete", () => {
  test("list shows every profile and no key", async () => {
    await add("first")
    await add("second", otherApiKey)

    const { stdout } = await run("profiles list")

    expect(JSON.parse(stdout).data).toMatchObject([
      { name: "first", isCurrent: true },
      { name: "second", isCurrent: false, apiKey: "sk_zzzz…zzzz" },
    ])
    expect(stdout).not.toContain(apiKey)
  })

  test("use makes another profile current", async () => {
    await add("first")
    await add("second")

    await run("profiles use second")

    expect(stored()).toMatchObject({ current: "second" })
  })

  test("use does not find a profile named like an inherited property", async () => {
    await add("first")

    const { exitCode } = await run("profiles use constructor")

    expect(exitCode).toBe(2)
  })

  test("delete asks for confirmation, so it needs --yes in a pipe", async () => {
    await add("first")

    const { exitCode } = await run("profiles delete first")

    expect(stored()).toMatchObject({ current: "first" })
    expect(exitCode).toBe(2)
  })

  test("delete removes the key; without the current profile no profile is current", async () => {
    await add("first")
    await add("second")

    await run("profiles delete first --yes")

    expect(stored()).toMatchObject({ current: null })
    expect(readFileSync(file, "utf8")).not.toContain(`"first"`)
  })
})

describe("precedence", () => {
  let api: FakeApi

  beforeEach(async () => {
    api = await FakeApi.start()
  })

  afterEach(() => api[Symbol.asyncDispose]())

  const keysSent = (): ReadonlyArray<unknown> =>
    api.requests.map(({ headers }) => headers["x-api-key"])

  test("the current profile is the default", async () => {
    await add(`demo --base-url ${api.baseUrl}`)

    const { exitCode } = await run("pixels list")

    expect(exitCode).toBe(0)
    expect(keysSent()).toEqual([apiKey])
  })

  test("the environment overrides the profile", async () => {
    await add("demo --base-url http://127.0.0.1:1")
    const environment = { FOOTFALL_API_KEY: otherApiKey, FOOTFALL_BASE_URL: api.baseUrl }

    await run("pixels list", { environment })

    expect(keysSent()).toEqual([otherApiKey])
  })

  test("a line break at the end of a key or a URL in the environment is no part of it", async () => {
    const environment = {
      FOOTFALL_API_KEY: `${otherApiKey}\r\n`,
      FOOTFALL_BASE_URL: `${api.baseUrl}\n`,
    }

    await run("pixels list", { environment })

    expect(keysSent()).toEqual([otherApiKey])
  })

  test("a flag overrides the environment", async () => {
    const environment = { FOOTFALL_API_KEY: otherApiKey, FOOTFALL_BASE_URL: "http://127.0.0.1:1" }
    const words = `pixels list --api-key-stdin --base-url ${api.baseUrl}`

    await run(words, { environment, input: apiKey })

    expect(keysSent()).toEqual([apiKey])
  })

  test("--profile overrides the environment, and FOOTFALL_PROFILE overrides the current profile", async () => {
    await add("current --base-url http://127.0.0.1:1", otherApiKey)
    await add(`named --base-url ${api.baseUrl}`)

    await run("pixels list", { environment: { FOOTFALL_PROFILE: "named" } })
    await run("pixels list --profile named", { environment: { FOOTFALL_API_KEY: otherApiKey } })

    expect(keysSent()).toEqual([apiKey, apiKey])
  })

  test.each([
    ["--base-url", (other: string) => [`pixels list --base-url ${other}`, {}] as const],
    [
      "--profile and --base-url",
      (other: string) =>
        [
          `pixels list --profile prod --base-url ${other}`,
          { FOOTFALL_API_KEY: otherApiKey },
        ] as const,
    ],
    ["FOOTFALL_BASE_URL", (other: string) => ["whoami", { FOOTFALL_BASE_URL: other }] as const],
    [
      "--base-url, where credentials are optional",
      (other: string) => [`topics list --base-url ${other}`, {}] as const,
    ],
  ])("a profile's key is not sent to another server given by %s", async (_what, lineOf) => {
    await add("prod --base-url http://127.0.0.1:1")
    const [words, environment] = lineOf(api.baseUrl)

    const { exitCode, stderr } = await run(words, { environment })

    expect(JSON.parse(stderr).error.message).toContain(
      `The API key in the profile prod is for http://127.0.0.1:1, so it is not sent to ${api.baseUrl}.`,
    )
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })

  test("--base-url with its own key works next to a profile for another server", async () => {
    await add("prod --base-url http://127.0.0.1:1")

    await run(`pixels list --base-url ${api.baseUrl} --api-key-stdin`, { input: otherApiKey })
    await run(`pixels list --base-url ${api.baseUrl}`, {
      environment: { FOOTFALL_API_KEY: otherApiKey },
    })

    expect(keysSent()).toEqual([otherApiKey, otherApiKey])
  })

  test("a current profile that is missing from the file is reported", async () => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, `{"current": "gone", "profiles": {}}`, { mode: 0o600 })

    const { exitCode, stderr } = await run("pixels list")

    expect(stderr).toContain(`Profile not found: gone`)
    expect(exitCode).toBe(2)
  })
})
