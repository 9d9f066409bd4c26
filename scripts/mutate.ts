// `npm run mutate` plants faults in a copy of the repository, one after the other, and runs the tests that must fail
// for each. It prints which were caught and which survived. It fails if the score is below `scoreMin`, if a fault's
// text is no longer in its file (the fault list is then outdated), or if the named tests fail without a fault. `--only
// <text,…>`: only faults whose file or tests contain one of the texts. `--list`: counts faults by room without running
// them. It doesn't run in CI, because it takes minutes. TEST_DATABASE_URL: a Postgres to use instead of starting one.
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const repository = dirname(import.meta.dirname)
const copy = mkdtempSync(join(tmpdir(), "mutate-"))

/** Copies the repository's files, including new ones. Installed and built files are taken as they are. */
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
    // Uses links if the file system supports them. Nothing writes into these files, because programs replace them.
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
