// A mailing-list provider that behaves as EmailOctopus does (spec 2.17) over a real HTTP server: lists in pages, double
// opt-in, a conflict for a contact that exists, an update that sets any status it is sent, and failures. It records the
// requests, so that a test can count them.
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { type ContactBody, readContactBody } from "./emailoctopus-contract.ts"

export interface ProviderContact {
  readonly email: string
  status: "subscribed" | "pending" | "unsubscribed"
  fields: Record<string, unknown>
  readonly tags: Set<string>
  /** Requests that wrote it. */
  writes: number
}

export interface ProviderList {
  readonly id: string
  name: string
  doubleOptIn: boolean
  readonly tags: ReadonlyArray<string>
  readonly contacts: Map<string, ProviderContact>
}

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: unknown
  readonly at: number
  /** Status of the response. Null while there is none. */
  status: number | null
}

/** Replaces the response to a request. */
export type ProviderFault =
  | {
      readonly status: number
      readonly retryAfter?: string
      /** Name of the header with `retryAfter`. Default: `retry-after`. */
      readonly header?: string
      readonly title?: string
    }
  /** Never responds. */
  | "hang"
  /** Closes the connection without a response. */
  | "reset"
  /** A 200 that isn't JSON. */
  | "garbage"
  /** Handles the request, then closes the connection without a response. */
  | "lose answer"

export interface MailerProvider {
  /** `baseUrl` of an account. */
  readonly url: string
  /** The accepted key. Setting another one revokes it. */
  apiKey: string
  readonly lists: Map<string, ProviderList>
  readonly requests: ReadonlyArray<ProviderRequest>
  /** Requests that the contract doesn't allow. */
  readonly violations: ReadonlyArray<string>
  /** False: requests are answered and forgotten. */
  keepsRequests: boolean
  /** Lists per page. Default: 100. */
  pageSize: number
  /** Whether the counts of a list are in an array. Default: false. */
  countsInArray: boolean
  /** Replaces the `next` of a page. */
  nextUrl: ((next: string) => string) | undefined
  /** Called for every request with valid credentials. Undefined: the usual response. */
  fault: ((request: ProviderRequest) => ProviderFault | undefined | Promise<undefined>) | undefined
  addList(list: {
    readonly id: string
    readonly name?: string
    readonly doubleOptIn?: boolean
    readonly tags?: ReadonlyArray<string>
  }): ProviderList
  /** Requests to create or update a contact, accepted or not. */
  writes(): ReadonlyArray<ProviderRequest>
  close(): Promise<void>
}

export const startMailerProvider = async (apiKey = "mailer-key-1"): Promise<MailerProvider> => {
  const requests: Array<ProviderRequest> = []
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
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const provider: MailerProvider = {
    url: `${origin}/api`,
    apiKey,
    lists: new Map(),
    requests,
    violations,
    keepsRequests: true,
    pageSize: 100,
    countsInArray: false,
    nextUrl: undefined,
    fault: undefined,
    addList: ({ doubleOptIn = false, id, name = id, tags = [] }) => {
      const list: ProviderList = { id, name, doubleOptIn, tags, contacts: new Map() }
      provider.lists.set(id, list)
      return list
    },
    writes: () => requests.filter(isWrite),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await text(request)
    const seen: ProviderRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: received === "" ? undefined : JSON.parse(received),
      at: Date.now(),
      status: null,
    }
    if (provider.keepsRequests) requests.push(seen)
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      seen.status = status
      if (fault === "lose answer") return void request.socket.destroy()
      const isProblem = status >= 400
      response.writeHead(status, {
        "content-type": isProblem ? "application/problem+json" : "application/json",
        ...headers,
      })
      response.end(JSON.stringify(body))
    }
    const problem = (status: number, title: string, headers: Record<string, string> = {}) =>
      answer(status, { type: "about:blank", title, status }, headers)

    const isKnown = seen.authorization === `Bearer ${provider.apiKey}`
    const fault = isKnown ? await provider.fault?.(seen) : undefined
    if (!isKnown) return problem(401, "Unauthorized")
    if (fault === "hang") return
    if (fault === "reset") return void request.socket.destroy()
    if (fault === "garbage") return void response.end("<html>")
    if (fault !== undefined && fault !== "lose answer") {
      const { header = "retry-after", retryAfter, status, title = "Failed" } = fault
      return problem(status, title, retryAfter === undefined ? {} : { [header]: retryAfter })
    }

    const { pathname, searchParams } = new URL(seen.path, origin)
    if (seen.method === "GET" && pathname === "/api/lists") {
      const start = Number(searchParams.get("start") ?? 0)
      const all = [...provider.lists.values()]
      const end = start + provider.pageSize
      const next = `${origin}/api/lists?start=${end}`
      return answer(200, {
        data: all.slice(start, end).map((list) => {
          const { counts, ...rest } = listOf(list)
          return { ...rest, counts: provider.countsInArray ? [counts] : counts }
        }),
        paging: { next: end < all.length ? { url: provider.nextUrl?.(next) ?? next } : null },
      })
    }
    const [, listId] = /^\/api\/lists\/([^/]+)\/contacts$/.exec(pathname) ?? []
    const list = listId === undefined ? undefined : provider.lists.get(decodeURIComponent(listId))
    if (!isWrite(seen) || list === undefined) return problem(404, "No such list")
    const body = readContactBody(seen.method, seen.body)
    if (!/^[^@\s]+@[^@\s]+$/.test(body.email_address)) {
      return problem(422, "The address is not valid")
    }
    if (seen.method === "POST" && list.contacts.has(body.email_address)) {
      return problem(409, "The contact exists")
    }
    const { email, status } = write(list, body)
    return answer(seen.method === "POST" ? 201 : 200, { id: email, email_address: email, status })
  }

  return provider
}

/** Whether a request creates or updates a contact. */
export const isWrite = <R extends { readonly method: string }>(
  request: R,
): request is R & { readonly method: "POST" | "PUT" } =>
  request.method === "POST" || request.method === "PUT"

/** Without a status, a new contact gets the opt-in of the list, and an existing one keeps its status. */
const write = (list: ProviderList, { email_address: email, fields, status, tags }: ContactBody) => {
  const contact: ProviderContact = list.contacts.get(email) ?? {
    email,
    status: list.doubleOptIn ? "pending" : "subscribed",
    fields: {},
    tags: new Set(),
    writes: 0,
  }
  contact.status = status ?? contact.status
  contact.fields = { ...contact.fields, ...fields }
  const changes = Array.isArray(tags)
    ? tags.map((tag) => [tag, true] as const)
    : Object.entries(tags ?? {})
  for (const [tag, isAdded] of changes) {
    if (isAdded) contact.tags.add(tag)
    else contact.tags.delete(tag)
  }
  contact.writes += 1
  list.contacts.set(email, contact)
  return contact
}

const listOf = ({ contacts, doubleOptIn, id, name, tags }: ProviderList) => {
  const count = (status: ProviderContact["status"]) =>
    [...contacts.values()].filter((contact) => contact.status === status).length
  return {
    id,
    name,
    double_opt_in: doubleOptIn,
    fields: [{ tag: "FNAME", type: "text", label: "First name", fallback: null }],
    tags: [...new Set([...tags, ...[...contacts.values()].flatMap(({ tags }) => [...tags])])],
    counts: {
      pending: count("pending"),
      subscribed: count("subscribed"),
      unsubscribed: count("unsubscribed"),
    },
  }
}
