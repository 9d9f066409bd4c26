// `footfall login` against a real server: it opens the browser, a user approves as in the console, and the command
// continues signed in (spec 17.2.4).
import { Footfall } from "@footfall/sdk"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))
const hasScript = process.platform === "linux"
const soon = { timeout: 30_000 }

let server: TestServer
let owner: TestUser
let console: Footfall["auth"]
beforeAll(async () => {
  server = await startServer({ workers: false })
  owner = await server.makeUser("owner")
  console = new Footfall({ baseUrl: server.url, accessToken: owner.accessToken }).auth
})
afterAll(() => server.close())

/** Starts `footfall login`. A program that replaces the browser opener records its arguments. */
const login = (words: ReadonlyArray<string>, { onTerminal = false } = {}) => {
  const directory = temporaryFolder("cli")
  const opened = join(directory, "opened")
  const programs = join(directory, "bin")
  mkdirSync(programs)
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(programs, name), `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "${opened}"\n`)
    chmodSync(join(programs, name), 0o755)
  }
  const command = [process.execPath, footfallPath, "login", ...words]
  const [program = "", ...rest] = onTerminal
    ? ["script", "-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"]
    : command
  const child = spawn(program, rest, {
    env: {
      PATH: `${programs}:${process.env["PATH"]}`,
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      TERM: "xterm-256color",
      FOOTFALL_CONFIG_DIR: directory,
      FOOTFALL_BASE_URL: server.url,
    },
  })
  const written = { out: "", all: "" }
  child.stdout.on("data", (chunk: Buffer) => {
    written.out += chunk.toString()
    written.all += chunk.toString()
  })
  child.stderr.on("data", (chunk: Buffer) => (written.all += chunk.toString()))
  return {
    written,
    opened,
    exitCode: new Promise<number | null>((resolve) => child.on("close", resolve)),
    /** The code that the waiting command shows. */
    userCode: () =>
      vi.waitFor(() => {
        const [code] = /[A-Z]{4}-[A-Z]{4}/.exec(written.all) ?? []
        expect(code).toBeDefined()
        return code!
      }, soon),
    profile: () =>
      JSON.parse(readFileSync(join(directory, "config.json"), "utf8")).profiles.default,
  }
}

describe("footfall login", () => {
  it.skipIf(!hasScript)("opens the browser, waits for the approval and signs in", async () => {
    const { exitCode, opened, profile, userCode, written } = login([], { onTerminal: true })
    const code = await userCode()
    // It is passed as one word, not through a shell. The file exists before its text does.
    await vi.waitFor(
      () => expect(readFileSync(opened, "utf8")).toBe(`1\n${server.url}/console/device#${code}\n`),
      soon,
    )
    expect(await console.getDeviceLogin({ userCode: code })).toMatchObject({
      clientName: expect.stringMatching(/^footfall on \S+/),
    })
    await console.decideDeviceLogin({ userCode: code, approve: true })
    expect(await exitCode).toBe(0)

    expect(written.all).toContain(`Signed in as ${owner.email}`)
    const { session } = profile()
    expect(session.email).toBe(owner.email)
    for (const secret of [session.accessToken, session.refreshToken, "dev_"]) {
      expect(written.all).not.toContain(secret)
    }
  })

  it("prints the URL with --no-browser, opens nothing, and uses the given organization", async () => {
    const { organizationId } = await server.makeOrganization()
    await server.sql(
      "insert into member (organization_id, user_id, role) values ($1, $2, 'viewer')",
      [organizationId, owner.userId],
    )
    const { exitCode, opened, profile, userCode, written } = login([
      "--no-browser",
      "--organization",
      organizationId,
      "--json",
    ])
    await console.decideDeviceLogin({ userCode: await userCode(), approve: true })

    expect(await exitCode).toBe(0)
    expect(written.all).toContain(`Open ${server.url}/console/device`)
    expect(existsSync(opened)).toBe(false)
    expect(JSON.parse(written.out).data.organization.id).toBe(organizationId)
    expect(profile().session.email).toBe(owner.email)
  })

  it("says that it was denied, and stores nothing", async () => {
    const { exitCode, profile, userCode, written } = login(["--no-browser"])
    await console.decideDeviceLogin({ userCode: await userCode(), approve: false })

    expect(await exitCode).toBe(4)
    expect(written.all).toContain("The sign-in was denied in the console.")
    expect(profile).toThrow("ENOENT")
  })

  it("says that the code has expired, and what to run", async () => {
    const { exitCode, userCode, written } = login(["--no-browser"])
    await userCode()
    await server.sql("update device_login set expires_at = now()")

    expect(await exitCode).toBe(4)
    expect(written.all).toContain("The code expired")
    expect(written.all).toContain("footfall login")
  })
})
