// The container image, as far as possible without an engine: the test reads the Dockerfile as an engine does, puts the
// files of its last stage into a folder, and runs there what the image would run, with its own health check. The base
// image, its user and `npm ci` inside it are not tested.
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, join, posix } from "node:path"
import { promisify } from "node:util"
import { DockerfileParser, type Instruction } from "dockerfile-ast"
import { validate } from "dockerfile-utils"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { testDatabaseUrl } from "../support/database.ts"

const root = new URL("../../../../", import.meta.url).pathname
const run = promisify(execFile)

let text: string
let image: string

beforeAll(async () => {
  text = await readFile(join(root, "Dockerfile"), "utf8")
  image = await mkdtemp(join(tmpdir(), "footfall-image-"))
})
afterAll(() => rm(image, { recursive: true, force: true }))

const instructions = (): ReadonlyArray<Instruction> =>
  DockerfileParser.parse(text).getInstructions()

/** The instructions of the last stage. */
const lastStage = (): ReadonlyArray<Instruction> => {
  const all = instructions()
  return all.slice(all.findLastIndex((each) => each.getKeyword() === "FROM"))
}

const argumentsOf = (keyword: string): ReadonlyArray<string> =>
  lastStage()
    .filter((each) => each.getKeyword() === keyword)
    .map((each) => each.getArgumentsContent() ?? "")

describe("the Dockerfile", () => {
  it("is valid, and names its base by version", () => {
    expect(validate(text)).toEqual([])
    for (const each of instructions().filter((each) => each.getKeyword() === "FROM")) {
      expect(each.getArgumentsContent()).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim( AS build)?$/)
    }
  })

  it("runs without privileges, with a health check and a folder for its data", () => {
    expect(argumentsOf("USER")).toEqual(["node"])
    expect(argumentsOf("VOLUME")).toEqual(["/data"])
    expect(argumentsOf("HEALTHCHECK")).toHaveLength(1)
  })

  it("has the Node version that the tests run on", async () => {
    const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))

    expect(text).toContain(`node:${devDependencies.node}-`)
  })

  it("copies nothing into the build that must not be in an image", async () => {
    const ignored = await readFile(join(root, ".dockerignore"), "utf8")

    expect(ignored.split("\n")).toEqual(
      expect.arrayContaining([".git", ".footfall", "**/node_modules", "**/dist"]),
    )
  })

  it("copies every file into the build that a package imports from outside the packages", async () => {
    const taken = instructions()
      .filter((each) => each.getKeyword() === "COPY")
      .flatMap((each) => (each.getArgumentsContent() ?? "").split(" ").slice(0, -1))
    const { stdout } = await run(
      "git",
      [
        ...["grep", "-nE", '(from|import) "(\\.\\./)+[^"]+"', "--", "packages"],
        ...[":!*.test.*", ":!packages/*/test", ":!packages/*/bench"],
      ],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
    )
    const imported = stdout
      .trim()
      .split("\n")
      .map((line) => /^([^:]+):\d+:.*"((?:\.\.\/)+[^"]+)"/.exec(line)!)
      .map(([, file, specifier]) => posix.join(posix.dirname(file!), specifier!))
      .filter((path) => !path.startsWith("packages/"))

    expect(imported).toContain("docs/reference/glossary.md")
    for (const path of imported) {
      expect(
        taken.some((folder) => path === folder || path.startsWith(`${folder}/`)),
        path,
      ).toBe(true)
      const ignoring = `core.excludesFile=${join(root, ".dockerignore")}`
      const asked = run("git", ["-c", ignoring, "check-ignore", "--no-index", path], { cwd: root })
      await expect(asked, `${path} is ignored`).rejects.toMatchObject({ code: 1 })
    }
  })
})

describe("what is in the image", () => {
  beforeAll(async () => {
    for (const each of argumentsOf("COPY")) {
      const [, from, to] = /^\/source\/(\S+) (\S+)$/.exec(each) ?? []
      for await (const path of glob(from!, { cwd: root })) {
        const place = to!.endsWith("/") ? join(to!, basename(path)) : to!
        await cp(join(root, path), join(image, place), { recursive: true })
      }
    }
    await run("chmod", ["-R", "go+rX", image])
  })

  const command = (...args: ReadonlyArray<string>) => {
    const entry = JSON.parse(argumentsOf("ENTRYPOINT")[0]!) as ReadonlyArray<string>
    return [...entry.slice(1), ...args]
  }

  it("starts without anything else, reads a company file, passes its own health check, and drains", async () => {
    const database = await testDatabaseUrl()
    const probe = createServer().listen(0, "127.0.0.1")
    await once(probe, "listening")
    const { port } = probe.address() as { port: number }
    probe.close()
    const data = await mkdtemp(join(tmpdir(), "footfall-data-"))
    const companies = join(data, "companies.csv")
    await writeFile(
      companies,
      "cidr,type,name,domain\n192.0.2.0/24,business,Harbor Logistics,harbor-logistics.example\n",
    )
    const environment = {
      NODE_ENV: "production",
      IP_COMPANY_FILE: companies,
      DATA_DIR: data,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: database.url,
      FOOTFALL_SECRET: "a secret of the image test that no one keeps",
    }
    const server = spawn(process.execPath, command("start"), {
      cwd: image,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    })
    // Shown when the test fails.
    server.stderr.on("data", (chunk) => console.error(String(chunk)))
    try {
      await Promise.race([once(server.stdout, "data"), once(server, "exit")])
      const [, check = ""] = /CMD (\[.*\])$/s.exec(argumentsOf("HEALTHCHECK")[0]!) ?? []
      const [, ...healthy] = JSON.parse(check) as ReadonlyArray<string>

      await run(process.execPath, healthy, { env: environment })
      server.kill("SIGTERM")
      expect(await once(server, "exit")).toEqual([0, null])
      await expect(run(process.execPath, healthy, { env: environment })).rejects.toThrow()
    } finally {
      server.kill("SIGKILL")
      await rm(data, { recursive: true, force: true })
      await database.drop()
    }
  })

  it("is small: at most 20 MiB besides Node", async () => {
    const { stdout } = await run("du", ["--summarize", "--bytes", image])

    expect(Number(stdout.split("\t")[0])).toBeLessThan(20 * 1024 * 1024)
  })
})

describe("the deployment", () => {
  const example = (file: string) => readFile(join(root, "examples/deployment", file), "utf8")

  it("gives the server what it requires, and no right it does not need", async () => {
    const compose = parse(await example("compose.yaml"))
    const { backup, caddy, footfall, postgres } = compose.services

    expect(footfall).toMatchObject({
      build: "../..",
      depends_on: { postgres: { condition: "service_healthy" } },
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    })
    expect(footfall.environment).toMatchObject({
      DATABASE_URL: expect.stringContaining("@postgres:5432/footfall"),
      FOOTFALL_SECRET: expect.stringContaining(":?"),
      TRUSTED_PROXIES: compose.networks.front.ipam.config[0].subnet,
    })
    expect(postgres.image).toMatch(/^postgres:\d+\.\d+-/)
    expect(backup.image).toBe(postgres.image)
    expect(postgres.healthcheck.test).toContain("pg_isready")
    for (const { volumes } of [backup, caddy, footfall, postgres]) {
      for (const volume of volumes) {
        const [name = ""] = String(volume).split(":")
        if (!/^[.$]/.test(name)) expect(Object.keys(compose.volumes)).toContain(name)
      }
    }
  })

  it("takes the image that the variable names, waits for the server to stop, and keeps the log small", async () => {
    const { services } = parse(await example("compose.yaml"))
    const { backup, caddy, footfall, postgres } = services

    expect(footfall.image).toBe("${FOOTFALL_IMAGE:-footfall-server}")
    // Requests have 20 seconds, and deliveries 10 more.
    expect(Number.parseInt(footfall.stop_grace_period)).toBeGreaterThan(30)
    for (const service of [backup, caddy, footfall, postgres]) {
      expect(service.logging).toEqual({
        driver: "json-file",
        options: { "max-size": "20m", "max-file": "5" },
      })
      expect(service.restart).toBe("unless-stopped")
    }
  })

  it("opens only the proxy's ports, and the proxy keeps metrics internal", async () => {
    const compose = parse(await example("compose.yaml"))
    const open = Object.keys(compose.services).filter((name) => compose.services[name].ports)

    expect(open).toEqual(["caddy"])
    expect(compose.services.postgres.networks).toEqual(["back"])
    expect(await example("Caddyfile")).toMatch(/handle \/metrics \{\s*respond 404/)
  })

  it("has a ClickHouse cluster whose servers are those of its configuration, each with a folder of its own", async () => {
    const [compose, cluster] = await Promise.all([
      example("compose.yaml"),
      example("clickhouse-cluster.xml"),
    ])
    const { services, volumes } = parse(compose, { merge: true })
    const shards = [...cluster.matchAll(/<shard>([^]*?)<\/shard>/g)].map(([, shard]) =>
      [...shard!.matchAll(/<host>(.*?)<\/host>/g)].map(([, host]) => host!),
    )
    expect(shards.map((hosts) => hosts.length)).toEqual([2, 2])
    for (const [shard, hosts] of shards.entries()) {
      for (const [replica, host] of hosts.entries()) {
        expect(services[host]).toMatchObject({
          image: services.clickhouse.image,
          profiles: ["clickhouse-cluster"],
          hostname: host,
          networks: ["back"],
          environment: {
            ...services.clickhouse.environment,
            CLICKHOUSE_SHARD: String(shard + 1),
            CLICKHOUSE_REPLICA: String(replica + 1),
          },
        })
        expect(services[host].volumes).toContain(`${host}:/var/lib/clickhouse`)
        expect(Object.keys(volumes)).toContain(host)
      }
    }
    expect(services["clickhouse-keeper"].profiles).toEqual(["clickhouse-cluster"])
  })

  it("lists every variable in the example of its environment", async () => {
    const [compose, environment] = await Promise.all([
      example("compose.yaml"),
      example(".env.example"),
    ])
    const taken = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!)

    const named = [...environment.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name!)
    expect(named.toSorted()).toEqual([...new Set(taken)].toSorted())
  })
})

describe("the backup script", () => {
  const script = join(root, "examples/deployment/backup.sh")
  let folder: string

  /** `program`: replaces pg_dump and pg_restore. */
  const backUp = async (command: ReadonlyArray<string>, program: string) => {
    const programs = join(folder, "bin")
    for (const name of ["pg_dump", "pg_restore"]) {
      await writeFile(join(programs, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
    }
    const environment = {
      PATH: `${programs}:${process.env["PATH"]}`,
      BACKUP_DIR: join(folder, "backups"),
      PGDATABASE: "footfall",
    }
    return run("bash", [script, ...command], { env: environment }).then(
      () => 0,
      ({ code }: { readonly code: number }) => code,
    )
  }
  const kept = async () => (await readdir(join(folder, "backups"))).toSorted()
  /** pg_dump writes its file; pg_restore lists it. */
  const works = `case "$0" in *pg_dump) for each; do case "$each" in --file=*) echo dump > "\${each#--file=}" ;; esac; done ;; esac`

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "footfall-backups-"))
    await mkdir(join(folder, "bin"))
    await mkdir(join(folder, "backups"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("keeps a dump that can be listed, and only then deletes old ones", async () => {
    const old = join(folder, "backups/footfall-20260101T000000Z.dump")
    await writeFile(old, "old")
    const longAgo = Date.now() / 1000 - 30 * 86_400
    await utimes(old, longAgo, longAgo)

    expect(await backUp(["check"], works)).not.toBe(0)
    expect(await backUp(["once"], "exit 1")).not.toBe(0)
    expect(await kept()).toEqual(["footfall-20260101T000000Z.dump"])

    expect(await backUp(["once"], works)).toBe(0)
    expect(await kept()).toEqual([expect.stringMatching(/^footfall-\d{8}T\d{6}Z\.dump$/)])
    expect(await kept()).not.toContain("footfall-20260101T000000Z.dump")
    expect(await backUp(["check"], works)).toBe(0)
  })

  it("says which commands it knows", async () => {
    expect(await backUp(["now"], works)).toBe(2)
  })
})
