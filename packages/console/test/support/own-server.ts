// A test file's own server, with a path prefix and email. It can be stopped and started again, also
// with other options.
import { spawn } from "node:child_process"
import { createServer, type Server } from "node:http"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createFootfall, type Footfall, type FootfallOptions } from "@footfall/server"
import { freePort } from "../../../sdk/test/support/free-port.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const program = fileURLToPath(new URL("../../../server/bin/footfall-server.js", import.meta.url))

export class OwnServer {
  readonly owner = { email: "owner@own.example", password: "correct horse battery" }
  readonly #options: FootfallOptions
  readonly #port: number
  #running: { readonly footfall: Footfall; readonly http: Server } | undefined

  private constructor(options: FootfallOptions, port: number) {
    this.#options = options
    this.#port = port
  }

  static async start(
    options: Pick<FootfallOptions, "basePath" | "smtpUrl"> = {},
  ): Promise<OwnServer> {
    const dataDir = temporaryFolder("own")
    const port = await freePort()
    const baseUrl = `http://127.0.0.1:${port}${options.basePath ?? ""}`
    const server = new OwnServer(
      { rateLimits: false, ...options, dataDir, baseUrl, logger: () => {} },
      port,
    )
    await server.#init(dataDir)
    await server.resume()
    return server
  }

  /** With the prefix, without a trailing slash. */
  get url(): string {
    return this.#options.baseUrl!
  }

  async #init(dataDir: string): Promise<void> {
    const words = ["init", "--json", "--email", this.owner.email, "--organization", "Own"]
    const child = spawn(
      process.execPath,
      [program, ...words, "--password-stdin", "--no-starter-topics"],
      { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir } },
    )
    child.stdin.end(this.owner.password)
    const [output] = await Promise.all([text(child.stderr), once(child, "exit")])
    if (child.exitCode !== 0) throw new Error(output)
  }

  /** @param changes Options that differ until the next stop. */
  async resume(changes: Pick<FootfallOptions, "console" | "rateLimits"> = {}): Promise<void> {
    const footfall = await createFootfall({ ...this.#options, ...changes })
    const http = createServer(footfall.listener).listen(this.#port, "127.0.0.1")
    await once(http, "listening")
    this.#running = { footfall, http }
  }

  /** Stops the server. The data stays. */
  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    running?.http.close()
    running?.http.closeAllConnections()
    await running?.footfall.close()
  }
}
