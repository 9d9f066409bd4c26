// What every double of a service has in common: a real HTTP server that checks the credentials, validates each request
// by the service's contract, fails as a test asks, and then does what the service would do.
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type Matched, readContract } from "./contract.ts"

export interface ServiceRequest extends Matched {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: unknown
  readonly at: number
  /** Status of the response. Null while there is none. */
  status: number | null
}

export interface ServiceAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type ServiceFault =
  | ServiceAnswer
  /** Closes the connection without a response. */
  | "reset"
  /** Handles the request, then closes the connection without a response. */
  | "lose answer"

/** A request whose body the contract has checked. */
export type Of<Body> = ServiceRequest & { readonly body: Body }

/** By the contract's name of the operation. Each says what its body is. */
export type Routes = Readonly<Record<string, (request: Of<never>) => ServiceAnswer>>

export interface Service {
  readonly url: string
  readonly requests: ReadonlyArray<ServiceRequest>
  /** False: requests are answered and forgotten. */
  keepsRequests: boolean
  /** Requests that the contract doesn't allow. */
  readonly violations: ReadonlyArray<string>
  /** Called for every request with valid credentials. Undefined: the usual response. */
  fault: ((request: ServiceRequest) => ServiceFault | undefined) | undefined
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Name of its file in contracts/. */
  readonly contract: string
  /** The path of its API. Default: none. */
  readonly apiPath?: string
  /** The answer to wrong credentials; undefined if they are right. */
  readonly refused: (headers: IncomingMessage["headers"]) => ServiceAnswer | undefined
  readonly routes: (url: string) => Routes
  /** For every answer. */
  readonly contentType?: string
}

export const ok = (body: unknown, status = 200): ServiceAnswer => ({ status, body })

export const startService = async ({
  apiPath = "",
  contentType = "application/json",
  contract,
  refused,
  routes,
}: ServiceOptions): Promise<Service> => {
  const matches = readContract(contract)
  const requests: Array<ServiceRequest> = []
  const violations: Array<string> = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void handle(request, response).catch((error: Error) => {
      violations.push(error.message)
      response.destroy()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A test that doesn't close it still ends.
  server.unref()
  // A socket that listens on TCP has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handlers = routes(url)

  const service: Service = {
    url,
    requests,
    keepsRequests: true,
    violations,
    fault: undefined,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await text(request)
    const { pathname, searchParams: query } = new URL(request.url ?? "", url)
    const body = received === "" ? undefined : (JSON.parse(received) as unknown)
    const { method = "" } = request
    const answer = ({ body: answered, headers = {}, status }: ServiceAnswer) => {
      response.writeHead(status, { "content-type": contentType, ...headers })
      response.end(answered === undefined ? undefined : JSON.stringify(answered))
    }
    const unauthorized = refused(request.headers)
    if (unauthorized !== undefined) return answer(unauthorized)
    if (!pathname.startsWith(apiPath)) return answer({ status: 404 })
    let matched: Matched
    try {
      matched = matches({ method, path: pathname.slice(apiPath.length), query, body })
    } catch (error) {
      violations.push((error as Error).message)
      return answer({ status: 418, body: { message: (error as Error).message } })
    }
    const { headers } = request
    const path = request.url ?? ""
    const seen = { ...matched, method, path, query, headers, body, at: Date.now(), status: null }
    const kept: ServiceRequest = seen
    if (service.keepsRequests) requests.push(kept)
    const fault = service.fault?.(kept)
    if (fault === "reset") return void request.socket.destroy()
    const handler = handlers[matched.operation]
    if (handler === undefined) throw new Error(`the double has no ${matched.operation}`)
    const given = typeof fault === "object" ? fault : handler(kept as Of<never>)
    kept.status = given.status
    if (fault === "lose answer") return void request.socket.destroy()
    answer(given)
  }

  return service
}
