// `npm run mutate`: plants faults in a copy of the repository, one after the other, and runs the tests that must fail
// with each. Prints what was caught and what survived, and fails below the score of `scoreMin`, when a fault's text is
// no longer found (the list of faults is then untrue) and when the named tests fail without any fault.
// `--only <text,…>`: faults whose file or tests hold one of the texts. `--list`: their number by room, without running them.
// Runs outside CI: it takes minutes. TEST_DATABASE_URL names a Postgres to use instead of one of its own.
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const repository = dirname(import.meta.dirname)
const copy = mkdtempSync(join(tmpdir(), "mutate-"))

/** Files of the repository, the new ones too; what is installed and built comes as it is. */
const copyRepository = (): void => {
  const list = execFileSync("git", ["ls-files", "-zco", "--exclude-standard"], { cwd: repository })
  for (const file of list.toString().split("\0"))
    if (file !== "") cpSync(join(repository, file), join(copy, file))
  const packages = execFileSync("ls", [join(repository, "packages")], { encoding: "utf8" })
  const folders = packages
    .split("\n")
    .filter((name) => name !== "")
    .flatMap((name) =>
      [
        ...["node_modules", "dist", "src/operations.json"],
        ...[
          "assets/pixel",
          "assets/tokens.css",
          "assets/docs/index.html",
          "assets/docs/index.html.gz",
        ],
      ].map((each) => `packages/${name}/${each}`),
    )
  for (const folder of ["node_modules", ...folders]) {
    // Links where the file system has them; nothing writes into these files, programs replace them.
    const [from, to] = [join(repository, folder), join(copy, folder)]
    if (spawnSync("test", ["-e", from]).status !== 0) continue
    execFileSync("mkdir", ["-p", dirname(to)])
    if (
      !folder.endsWith("node_modules") ||
      spawnSync("cp", ["-al", from, to], { stdio: "ignore" }).status !== 0
    )
      execFileSync("cp", ["-a", from, dirname(to)])
  }
}

try {
  copyRepository()
  const run = fileURLToPath(new URL("scripts/mutate/run.ts", `file://${copy}/`))
  const { status } = spawnSync(process.execPath, [run, ...process.argv.slice(2)], {
    cwd: copy,
    stdio: "inherit",
    env: { ...process.env, TEST_BUILD: "skip" },
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
