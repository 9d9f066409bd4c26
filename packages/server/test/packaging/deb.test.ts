// The Debian package, on this machine's own Debian under a layer that takes every change: installed, started with a
// database, upgraded, removed and purged. systemd doesn't run there, so its unit is read, and the test starts what it
// starts.
import { execFile } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { connect, createServer, type Server } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../scripts/test-run/programs.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { testDatabaseUrl } from "../support/database.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname

/** What the machine does, step by step. Every step prints its name first, and goes on after a failure. */
const steps = (port: number, databaseUrl: string) => `
step() { printf '\\n== %s\\n' "$1"; }
file=/etc/footfall/footfall.env
set_variable() { sed -i "\\|^$1=|d" $file; echo "$1=$2" >>$file; }
start() {
  /usr/bin/footfall-server start --json >/tmp-of-test/log 2>&1 &
  for second in $(seq 60); do
    /usr/lib/footfall/node -e 'fetch("http://127.0.0.1:${port}/readyz").then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))' && return
    sleep 1
  done
  cat /tmp-of-test/log
}
stop() { pkill --signal TERM --uid footfall --full footfall-server.js; wait; }
step installed; dpkg --install /tmp-of-test/first.deb
step owned; stat --format '%n %U %a' $file /var/lib/footfall /usr/lib/footfall/node
step configuration; cat $file
step unit; cat /usr/lib/systemd/system/footfall.service
step verified; systemd-analyze verify /usr/lib/systemd/system/footfall.service 2>&1 && echo fine
step without; /usr/bin/footfall-server doctor
set_variable DATABASE_URL '${databaseUrl}'
set_variable PORT ${port}
set_variable BASE_URL 'http://127.0.0.1:${port}'
step initialized; /usr/bin/footfall-server init --organization 'Acme & "Söhne"' --email owner@acme.example
start
step running; ps -o user=,args= -p $(pgrep --full "^/usr/lib/footfall/node /usr/lib/footfall/bin/footfall-server.js start")
step doctor; /usr/bin/footfall-server doctor
step page; /usr/lib/footfall/node -e 'fetch("http://127.0.0.1:${port}/console").then((answer) => console.log(answer.status))'
stop
before=$(sha256sum $file)
step upgraded; dpkg --install /tmp-of-test/second.deb
step kept; [ "$before" = "$(sha256sum $file)" ] && echo unchanged; dpkg-query --show footfall-server
start
step again; /usr/bin/footfall-server doctor
stop
step removed; dpkg --remove footfall-server
step left; ls $file /var/lib/footfall -d; ls /usr/lib/footfall /usr/bin/footfall-server
step purged; dpkg --purge footfall-server
step nothing; ls -d /etc/footfall /var/lib/footfall /var/cache/footfall; id footfall; exit 0
`

/** A root of its own for the script: this machine's files, and what it changes in memory. */
const layer = `set -e
mount -t tmpfs none /mnt; mkdir /mnt/u /mnt/w /mnt/m
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m
mount --rbind /proc /mnt/m/proc; mount --rbind /dev /mnt/m/dev
mkdir /mnt/m/tmp-of-test; mount --bind "$1" /mnt/m/tmp-of-test
PATH=/usr/sbin:/usr/bin:/sbin:/bin exec chroot /mnt/m sh /tmp-of-test/steps 2>&1`

describe("the Debian package", needs("anotherDebian"), () => {
  let database: Awaited<ReturnType<typeof testDatabaseUrl>>
  let bridge: Server
  let file: string
  let output: ReadonlyMap<string, string>

  const step = (name: string) => output.get(name) ?? `There is no step ${name}.`

  beforeAll(async () => {
    const folder = temporaryFolder("footfall-deb")
    database = await testDatabaseUrl()
    // The package's user can't reach the socket of the tests' Postgres, so a port leads there.
    const { pathname, searchParams, username } = new URL(database.url)
    const socket = join(searchParams.get("host")!, ".s.PGSQL.5432")
    bridge = createServer((client) => {
      const server = connect(socket)
      client.pipe(server).pipe(client)
      for (const one of [client, server]) one.on("error", () => client.destroy())
    }).listen(0, "127.0.0.1")
    await once(bridge, "listening")
    const probe = createServer().listen(0, "127.0.0.1")
    await once(probe, "listening")
    const ports = [bridge, probe].map((each) => (each.address() as { port: number }).port)
    probe.close()

    const { stdout } = await run(process.execPath, [join(root, "scripts/deb.ts"), folder])
    file = stdout.trim()
    await run("cp", [file, join(folder, "first.deb")])
    // The next version: the same files.
    await run("dpkg-deb", ["--raw-extract", file, join(folder, "next")])
    const control = join(folder, "next/DEBIAN/control")
    const text = await readFile(control, "utf8")
    await writeFile(control, text.replace(/^Version: .*$/m, "Version: 99.0.0"))
    await run("dpkg-deb", [
      ...["--root-owner-group", "-Znone", "--build"],
      ...[join(folder, "next"), join(folder, "second.deb")],
    ])

    const url = `postgres://${username}@127.0.0.1:${ports[0]}${pathname}`
    await writeFile(join(folder, "steps"), steps(ports[1]!, url))
    await writeFile(join(folder, "layer"), layer)
    const done = await run("unshare", ["--mount", "bash", join(folder, "layer"), folder], {
      maxBuffer: 8 * 1024 * 1024,
    })
    const parts = done.stdout.split(/^== /m).slice(1)
    output = new Map(
      parts.map((part) => [
        part.slice(0, part.indexOf("\n")),
        part.slice(part.indexOf("\n") + 1).trim(),
      ]),
    )
  }, 180_000)

  afterAll(async () => {
    bridge?.close()
    await database?.drop()
  })

  it("is named by its version, and by the architecture of its Node", async () => {
    const { version } = JSON.parse(
      await readFile(join(root, "packages/server/package.json"), "utf8"),
    )

    expect(file).toMatch(new RegExp(`footfall-server_${version}_(amd64|arm64)\\.deb$`))
  })

  it("installs without a question, and says what to do next", () => {
    expect(step("installed")).toContain("Setting up footfall-server")
    expect(step("installed")).toContain("createdb --owner=footfall footfall")
    expect(step("installed")).toContain("systemctl enable --now footfall")
  })

  it("makes a user for the server, who alone sees its data, and a secret that root alone can read", () => {
    expect(step("owned").split("\n")).toEqual([
      "/etc/footfall/footfall.env root 600",
      "/var/lib/footfall footfall 700",
      "/usr/lib/footfall/node root 755",
    ])
    expect(step("configuration")).toMatch(/^FOOTFALL_SECRET=[\w+/]{64}$/m)
    expect(step("configuration")).toContain("host=/var/run/postgresql")
  })

  it("has the unit of the guide with its own paths, which systemd accepts", async () => {
    const unit = await readFile(join(root, "ops/footfall.service"), "utf8")
    const directives = unit.split("\n").filter((line) => /^(?!#)\S+=/.test(line))
    const moved = new Map([
      [
        "ExecStart",
        "ExecStart=/usr/lib/footfall/node /usr/lib/footfall/bin/footfall-server.js start",
      ],
      ["WorkingDirectory", "WorkingDirectory=/usr/lib/footfall"],
    ])

    const expected = directives.map((line) => moved.get(line.split("=")[0]!) ?? line)
    const actual = step("unit").split("\n")
    expect(actual.filter((line) => /^(?!#)\S+=/.test(line))).toEqual(expected)
    expect(step("verified")).toBe("fine")
  })

  it("reads the configuration for a command of root, and says what is missing", () => {
    expect(step("without")).toMatch(/ok +configuration/)
    expect(step("without")).toMatch(/FAILED +database +Can't connect to the database/)
  })

  it("starts as its user with its own Node, and serves the console", () => {
    expect(step("initialized")).toContain('Acme & "Söhne"')
    expect(step("running")).toMatch(/^footfall +\/usr\/lib\/footfall\/node /)
    expect(step("doctor")).not.toContain("FAILED")
    expect(step("doctor")).toMatch(/ok +database/)
    expect(step("page")).toBe("200")
  })

  it("keeps its configuration and its data at an upgrade", () => {
    expect(step("upgraded")).toContain("Setting up footfall-server (99.0.0)")
    expect(step("upgraded")).not.toContain("createdb")
    expect(step("kept")).toContain("unchanged")
    expect(step("kept")).toContain("99.0.0")
    expect(step("again")).not.toContain("FAILED")
  })

  it("leaves the configuration when it is removed, and nothing when it is purged", () => {
    expect(step("left")).toContain("/etc/footfall/footfall.env")
    expect(step("left")).toContain("/var/lib/footfall")
    expect(step("left")).toMatch(/cannot access '\/usr\/lib\/footfall'/)
    expect(step("left")).toMatch(/cannot access '\/usr\/bin\/footfall-server'/)
    expect(step("nothing").match(/cannot access/g)).toHaveLength(3)
    expect(step("nothing")).toContain("no such user")
  })
})
