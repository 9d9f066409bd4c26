// Whether someone takes connections at an address the operator has configured, and what is answered to a
// request there. For the doctor; nothing a user types comes here, so the guard of this room does not either.
import { connect } from "node:net"

/** Without a word. Units: milliseconds. */
const timeLimit = 5_000

export interface Probed {
  /** The code of what went wrong; undefined: the connection was made. */
  readonly code: string | undefined
  /** What came back, where something was asked. */
  readonly answer: string
}

/** Connects; with `path` asks for it by HTTP. Never rejects. */
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
