import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect } from "effect"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { configDirectory, writeDemoProfile } from "./profile.ts"

const profile = { baseUrl: "http://127.0.0.1:4100", apiKey: "sk_demo" }
const other = { baseUrl: "https://footfall.example", apiKey: "sk_other" }

describe("the demo's command-line profile", () => {
  let directory: string
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), "footfall-profile-")), "footfall")
  })
  afterEach(() => rm(join(directory, ".."), { recursive: true }))

  const write = (change: Partial<typeof profile> = {}) =>
    Effect.runPromise(
      writeDemoProfile({ directory, ...profile, ...change }).pipe(
        Effect.provide(NodeServices.layer),
      ),
    )
  const file = () => join(directory, "config.json")
  const read = async () => JSON.parse(await readFile(file(), "utf8"))

  it("can be read only by its owner, and becomes current if there is no other profile", async () => {
    expect(await write()).toEqual({ name: "demo", current: "demo" })

    expect(await read()).toEqual({ current: "demo", profiles: { demo: profile } })
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect(await readdir(directory)).toEqual(["config.json"])
  })

  it("is renewed, and leaves other profiles and the current one alone", async () => {
    await write()
    await writeFile(
      file(),
      JSON.stringify({ current: "live", profiles: { live: other, demo: profile } }),
    )

    expect(await write({ apiKey: "sk_new" })).toEqual({ name: "demo", current: "live" })
    expect(await read()).toEqual({
      current: "live",
      profiles: { live: other, demo: { ...profile, apiKey: "sk_new" } },
    })
  })

  it("of a second server has its own name, and the first server's stays current", async () => {
    const second = { baseUrl: "http://127.0.0.1:4200", apiKey: "sk_second" }
    await write()

    expect(await write(second)).toEqual({ name: "demo-4200", current: "demo" })
    expect(await write({ ...second, apiKey: "sk_third" })).toEqual({
      name: "demo-4200",
      current: "demo",
    })
    expect(await read()).toEqual({
      current: "demo",
      profiles: { demo: profile, "demo-4200": { ...second, apiKey: "sk_third" } },
    })
  })

  it("of a second server without a port in its address is named after its host", async () => {
    await write()

    const second = { baseUrl: "https://demo.tidewater.example", apiKey: "sk_second" }
    expect(await write(second)).toEqual({ name: "demo-demo.tidewater.example", current: "demo" })
  })

  it("of a server that moved to another port is renewed", async () => {
    await write()

    const baseUrl = "http://127.0.0.1:4200"
    expect(await write({ baseUrl })).toEqual({ name: "demo", current: "demo" })
    expect((await read()).profiles).toEqual({ demo: { ...profile, baseUrl } })
  })

  it("keeps sign-ins, also in a profile without a key", async () => {
    const session = { email: "ada@footfall.example", refreshToken: "r" }
    await write()
    await writeFile(
      file(),
      JSON.stringify({
        current: "live",
        profiles: { live: { baseUrl: other.baseUrl, session }, demo: { ...profile, session } },
      }),
    )

    await write({ apiKey: "sk_new" })

    expect((await read()).profiles).toEqual({
      live: { baseUrl: other.baseUrl, session },
      demo: { ...profile, apiKey: "sk_new", session },
    })
  })

  it.each(["", "{", "[]", '{"profiles":{}}', '{"current":1,"profiles":{}}'])(
    "a file that is not a profile file is not changed: %j",
    async (text) => {
      await write()
      await writeFile(file(), text)

      await expect(write()).rejects.toThrow()
      expect(await readFile(file(), "utf8")).toBe(text)
    },
  )
})

describe("the command line's directory (spec 1.1)", () => {
  const directoryOf = (platform: string, env: Readonly<Record<string, string>>) =>
    Effect.runPromise(
      configDirectory({ platform, homeDirectory: "/home/ada" }).pipe(
        Effect.provide(NodeServices.layer),
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
      ),
    )

  it.each([
    ["linux", {}, "/home/ada/.config/footfall"],
    ["linux", { XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/footfall"],
    ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/ada/.config/footfall"],
    ["linux", { XDG_CONFIG_HOME: "" }, "/home/ada/.config/footfall"],
    ["darwin", { XDG_CONFIG_HOME: "/etc/ada" }, "/home/ada/Library/Application Support/footfall"],
    ["win32", { APPDATA: "/roaming" }, "/roaming/footfall"],
    ["win32", {}, "/home/ada/AppData/Roaming/footfall"],
    ["linux", { FOOTFALL_CONFIG_DIR: "/chosen", XDG_CONFIG_HOME: "/etc/ada" }, "/chosen"],
    ["darwin", { FOOTFALL_CONFIG_DIR: "" }, "/home/ada/Library/Application Support/footfall"],
  ])("on %s with %j is %s", async (platform, env, directory) => {
    expect(await directoryOf(platform, env)).toBe(directory)
  })
})
