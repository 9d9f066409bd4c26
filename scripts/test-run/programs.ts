// Programs that a machine may lack. Tests that need one are skipped where it is missing, and the run lists them with
// the package that brings it. With `CI` set they fail instead. `npm test` has none of them (tiers.ts).
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { TestOptions } from "vitest"
import { chromiumPath } from "../../packages/pixel/test/browser/support/chromium.ts"

declare module "vitest" {
  interface TaskMeta {
    /** What brings the program for lack of which a test is skipped. */
    lacks?: string
  }
}

export const firefoxPath = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr"

/** Debian's path is only in root's PATH. */
export const pgBouncerPath = existsSync("/usr/sbin/pgbouncer") ? "/usr/sbin/pgbouncer" : "pgbouncer"

/** Another Node than the repository's. */
export const systemNodePath = "/usr/bin/node"

interface Program {
  /** Debian's package, or the command that builds it. */
  readonly from: string
  readonly isThere: () => boolean
  /** A fresh machine for CI may lack it, or the right to use it. */
  readonly isOptional?: boolean
}

const inPath = (command: string) => (): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, command)))

/** Whether a folder can be laid over the root of this machine, for programs that change it. */
const canOverlay = (): boolean =>
  spawnSync("unshare", [
    "--mount",
    ...["sh", "-ec"],
    `mount -t tmpfs none /mnt; mkdir /mnt/u /mnt/w /mnt/m
     mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m`,
  ]).status === 0

const programs = {
  anotherDebian: {
    from: "Debian's dpkg, and the right to mount folders",
    isThere: () => inPath("dpkg-deb")() && canOverlay(),
    isOptional: true,
  },
  chromium: { from: "chromium", isThere: () => existsSync(chromiumPath) },
  firefox: { from: "firefox-esr", isThere: () => existsSync(firefoxPath) },
  fish: { from: "fish", isThere: inPath("fish") },
  guide: {
    from: "npm run docs",
    isThere: () => existsSync(join(import.meta.dirname, "../../packages/server/assets/guide")),
  },
  less: { from: "less", isThere: inPath("less") },
  networks: {
    from: "iproute2, and the right to create namespaces",
    isThere: () => spawnSync("unshare", ["-rnm", "true"]).status === 0,
    isOptional: true,
  },
  pgbouncer: {
    from: "pgbouncer",
    isThere: () => existsSync(pgBouncerPath) || inPath(pgBouncerPath)(),
  },
  soffice: { from: "libreoffice-calc", isThere: inPath("soffice") },
  systemNode: { from: "nodejs", isThere: () => existsSync(systemNodePath), isOptional: true },
  zsh: { from: "zsh", isThere: inPath("zsh") },
} satisfies Readonly<Record<string, Program>>

export type ProgramName = keyof typeof programs

const found = new Map<ProgramName, boolean>()

/** Asks the machine once. */
export const has = (name: ProgramName): boolean => {
  const before = found.get(name)
  if (before !== undefined) return before
  const isThere = programs[name].isThere()
  found.set(name, isThere)
  return isThere
}

/** Options of tests that need these programs. */
export const needs = (...names: ReadonlyArray<ProgramName>): TestOptions => {
  const missing = names.find((name) => !has(name))
  if (missing === undefined) return {}
  const { from, isOptional = false }: Program = programs[missing]
  if (process.env["CI"] !== undefined && !isOptional)
    throw new Error(`These tests need ${missing}, which this machine lacks. Install: ${from}`)
  return { skip: true, meta: { lacks: from } }
}
