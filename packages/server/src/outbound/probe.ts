// Checks whether an address that the operator configured accepts connections, and what it responds. For the doctor;
// nothing a user types reaches it, so the outbound guard does not apply.
import { connect } from "node:net"

/** Time limit without data. Units: milliseconds. */
const timeLimit = 5_000

export interface Probed {
  /** The error code; undefined when the connection succeeded. */
  readonly code: string | undefined
  /** The response, if something was requested. */
  readonly answer: string
}

/** Connects; with `path`, also requests it over HTTP. Never rejects. */
export const probe = (host: string, port: number, path?: string): Promise<Probed> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    let answer = ""
    const end = (code?: string) => {
      socket.destroy()
      resolve({ code, answer })
    }
    socket.setTimeout(timeLimit, () => end("ETIMEDOUT"))
    socket.setEncoding("utf8")
    socket.on("data", (part: string) => (answer += part))
    socket.once("end", () => end())
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    socket.once("connect", () => {
      if (path === undefined) return end()
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\nconnection: close\r\n\r\n`)
    })
  })
