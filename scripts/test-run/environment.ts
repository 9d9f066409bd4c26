// The environment of every test, on any machine. The run has one temporary folder with a home
// folder inside, in memory if the machine has enough, and removes it at the end, however the run
// ends. Of the real environment, only variables that control the run remain. So a key, a URL or a
// profile that the user set up for Footfall doesn't affect tests, and tests don't change it.
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"

/** Environment variables that tests can see, by name and by prefix. */
const keptNames = new Set([
  ...["PATH", "LD_LIBRARY_PATH", "TERM", "SHELL", "USER", "LOGNAME", "CI", "NODE_ENV"],
  ...["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"],
  ...["CHROMIUM_PATH", "FIREFOX_PATH", "FOOTFALL_SOAK", "SEED"],
])
const keptStarts = ["npm_", "TEST_", "VITEST", "BENCH_", "SOAK_"]

/** Where the run keeps its files. The path is short, because paths of Unix sockets must be. */
export const runFolderVariable = "TEST_RUN_FOLDER"

/** The vitest configuration calls this before any process of the run starts. */
export const prepareTestRun = (): void => {
  // Watch mode reads the configuration again, and so do tests that start vitest.
  if (process.env[runFolderVariable] !== undefined) return
  const folder = memoryFolder() ?? mkdtempSync(join(tmpdir(), "footfall-"))
  const home = join(folder, "home")
  mkdirSync(home)
  const environment = {
    // Tests that install packages use the user's registry and cache.
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_cache: join(homedir(), ".npm"),
    ...installProxies(),
    ...keptVariables(),
    [runFolderVariable]: folder,
    TMPDIR: folder,
    HOME: home,
    // Compiles each program once. Without it npm would keep its compiled code in the temporary folder.
    NODE_COMPILE_CACHE: join(folder, "code"),
    // A line for each request of the tests' servers would take vitest longer than the request.
    LOG_LEVEL: "warn",
    LANG: "C.UTF-8",
    TZ: "UTC",
  }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  removeAtEnd(folder)
}

/** Linux keeps files below it in memory. A container may have only a few MB there, or refuse to run programs there. */
const sharedMemory = "/dev/shm"
const memoryMinBytes = 6 * 1024 ** 3

/**
 * Creates a folder in memory. Tests create some 400 databases of 660 files each, and for a server
 * that a test kills Postgres waits for the disk on every commit. In memory both take a fraction of
 * the time. Memory is durable enough for tests, which kill Postgres but not the machine.
 */
const memoryFolder = (): string | undefined => {
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    if (bavail * bsize < memoryMinBytes) return undefined
    folder = mkdtempSync(join(sharedMemory, "footfall-"))
    const program = join(folder, "program")
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
    execFileSync(program)
    rmSync(program)
    return folder
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true })
    return undefined // Only Linux has it.
  }
}

const keptVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => keptNames.has(name) || keptStarts.some((start) => name.startsWith(start)),
    ),
  )

/** Only npm uses a proxy. Requests of tests stay on this machine. */
const installProxies = (): NodeJS.ProcessEnv => {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy } = process.env
  const given = {
    npm_config_proxy: HTTP_PROXY ?? http_proxy,
    npm_config_https_proxy: HTTPS_PROXY ?? https_proxy,
    npm_config_noproxy: NO_PROXY ?? no_proxy,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/**
 * Stops every Postgres below the folder and removes the folder when this process exits. If this process is killed, a
 * helper process does it: it notices when its standard input closes.
 */
const removeAtEnd = (folder: string): void => {
  const running = `find "$0" -name postmaster.pid 2>/dev/null`
  const remove = `${running} -exec head -n 1 {} \\; | xargs -r kill -INT 2>/dev/null
    for i in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(${running})" ] && break; sleep 0.5; done
    rm -rf "$0"`
  const sweeper = spawn("/bin/sh", ["-c", `cat; ${remove}`, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  sweeper.unref()
  process.once("exit", () => execFileSync("/bin/sh", ["-c", remove, folder], { stdio: "ignore" }))
}
