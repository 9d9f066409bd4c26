// CI's checks of the registry's audit and of the licenses in the lock file.
import { describe, expect, it } from "vitest"
import { audit, isAllowed, licences } from "../../../../scripts/dependencies.ts"

const report = (severity: string) =>
  JSON.stringify({
    vulnerabilities: { leftpad: { severity } },
    metadata: { vulnerabilities: { [severity]: 1 } },
  })

describe("the audit of production dependencies", () => {
  it.each(["high", "critical"])("a %s vulnerability fails, with the package named", (severity) => {
    const { isFailure, lines } = audit(report(severity))

    expect(isFailure).toBe(true)
    expect(lines[0]).toContain(`leftpad: ${severity}`)
  })

  it("a moderate vulnerability is counted and does not fail", () => {
    expect(audit(report("moderate"))).toEqual({
      isFailure: false,
      lines: ["Audit of production: 1 moderate"],
    })
  })

  it.each([
    {
      message: "405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security",
      statusCode: 405,
    },
    { message: "request to https://registry.npmjs.org failed, reason: getaddrinfo ENOTFOUND" },
    { error: { code: "ECONNREFUSED", summary: "connect ECONNREFUSED 127.0.0.1:1" } },
  ])("an unreachable registry is a loud warning, and does not fail: %j", (answer) => {
    const { isFailure, lines } = audit(JSON.stringify(answer))

    expect(isFailure).toBe(false)
    expect(lines[0]).toMatch(/^WARNING: dependencies were NOT audited/)
  })

  it.each([
    JSON.stringify({
      error: { code: "ENOLOCK", summary: "This command requires an existing lockfile." },
    }),
    "npm: not found",
    "",
  ])("any other error fails: %s", (output) => {
    expect(audit(output).isFailure).toBe(true)
  })
})

describe("licenses", () => {
  it("one of several is enough if they are alternatives, and all are required if they are combined", () => {
    const allowed = new Set(["MIT", "ISC"])

    expect(isAllowed("(GPL-3.0 OR MIT)", allowed)).toBe(true)
    expect(isAllowed("MIT AND ISC", allowed)).toBe(true)
    expect(isAllowed("MIT AND GPL-3.0", allowed)).toBe(false)
  })

  it("a shipped package needs a permissive license; a tool may have a weak copyleft, and none may have none", () => {
    const { isFailure, lines } = licences({
      "node_modules/good": { license: "MIT", version: "1.0.0" },
      "node_modules/tool": { license: "MPL-2.0", version: "1.0.0", dev: true },
      "node_modules/handed/node_modules/on": { license: "MPL-2.0", version: "2.0.0" },
      "node_modules/silent": { version: "3.0.0", dev: true },
      "packages/own": {},
    })

    expect(isFailure).toBe(true)
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "on 2.0.0",
      "silent 3.0.0",
      "4 packages, 2 with a license that is not allowed",
    ])
  })
})
