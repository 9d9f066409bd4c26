// A forward proxy: tunnels (CONNECT) and passes on requests with an absolute URL. It sends everything to one port of
// this computer, whatever host is named, and records the hosts.

import { once } from "node:events"
import { createServer, request } from "node:http"
import { connect, type AddressInfo } from "node:net"

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** The hosts that requests named, with their ports. */
  readonly hosts: ReadonlyArray<string>
}

/** `port`: where every request goes. */
export async function startProxy(port: number): Promise<Proxy> {
  const hosts: Array<string> = []
  const server = createServer((incoming, response) => {
    const { host, pathname, search } = new URL(incoming.url ?? "")
    hosts.push(host)
    const { headers, method } = incoming
    const onward = request({ port, host: "127.0.0.1", path: pathname + search, method, headers })
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  server.on("connect", (incoming, client) => {
    hosts.push(incoming.url ?? "")
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      onward.pipe(client).pipe(onward)
    })
    onward.on("error", () => client.destroy())
    client.on("error", () => onward.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on a port has an address object, not a pipe name.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    hosts,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
