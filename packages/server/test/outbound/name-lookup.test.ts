// Names whose servers never respond hold up no other request, with the system's resolver and a name server on a real
// socket. Needs `unshare` and permission to use it: Linux.
import { spawn } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { needs } from "../../../../scripts/test-run/programs.ts"

/** Replacements for the machine's files that configure name resolution. */
const files = {
  "resolv.conf": "nameserver 127.0.0.1\nsearch inside.example\n",
  "nsswitch.conf": "hosts: files dns\n",
  hosts: "127.0.0.1 localhost\n127.0.0.1 other.example hosts.example # of the operator\n",
}

const place = `
  ip link set lo up
  for file in ${Object.keys(files).join(" ")}; do
    if [ -e "/etc/$file" ]; then mount --bind "$FILES/$file" "/etc/$file"; fi
  done
  exec "$@"`

interface Report {
  /** By host: the status, or the failure. */
  readonly others: Readonly<Record<string, string>>
  readonly systemLookup: string
  readonly slowEndedBefore: number
}

describe("while 20 names wait for a name server that never responds,", needs("networks"), () => {
  const folder = temporaryFolder("silent-names")
  let report: Report
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const script = fileURLToPath(new URL("silent-names.ts", import.meta.url))
    const child = spawn("unshare", ["-rnm", "sh", "-ec", place, "sh", process.execPath, script], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, FILES: folder },
    })
    report = JSON.parse(await text(child.stdout)) as Report
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ["a name in DNS", "quick.example"],
    ["a name without a dot", "localhost"],
    ["a name in the file of hosts", "hosts.example"],
    ["a name under the search domain", "receiver.team"],
  ])("%s is reached before the first of them ends", (_, host) => {
    expect(report.others[host]).toBe("200")
    expect(report.slowEndedBefore).toBe(0)
  })

  it("a look-up by the system succeeds, as the database and mail need it", () => {
    expect(report.systemLookup).toBe("127.0.0.1")
    expect(report.slowEndedBefore).toBe(0)
  })
})
