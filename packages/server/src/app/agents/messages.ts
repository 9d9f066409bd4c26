// Answers Model Context Protocol messages over streamable HTTP, with Effect's MCP server. That server would keep each
// client's session in one process's memory forever. Here every message has its own session, which ends with its
// response, so any process can answer any message and nothing is kept. spec 16.1
import {
  agentResources,
  agentTools,
  type ApiAnswer,
  type ApiRequest,
  instructions,
  disabledMessage,
  type ToolRun,
} from "@footfall/agent-tools"
import { Context, Effect, Layer, Option, Schema, type Scope } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { HttpEffect, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { PeerAddress, RequestContext } from "../../platform/http/request-context.ts"
import { version } from "../../version.ts"

/** Answers a request to the API of this server. */
export type AnswerRequest = (request: Request, context: Context.Context<never>) => Promise<Response>

export interface AgentOptions {
  readonly api: AnswerRequest
  /** `MCP_WRITES`. */
  readonly allowsWrites: boolean
  /** Public address of the server. */
  readonly baseUrl: string
}

/** Used if a client names no version: the last version that permits this. */
const versionUnnamed = "2025-03-26"

const withoutSessions = McpProtocol.v2026_07_28

const protocols = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  withoutSessions,
] as const

/** Answers the messages of clients. */
export const messages = Effect.fnUntraced(function* ({ allowsWrites, api }: AgentOptions) {
  // A separate router, next to the one that serves this route.
  const built = yield* Layer.build(
    McpServer.layerHttp({
      name: "footfall",
      version,
      instructions: instructions(allowsWrites),
      path: "/mcp",
      protocols,
      allowSessionTermination: true,
      allowSubscriptions: false,
      registrations: Tools(allowsWrites),
    }).pipe(Layer.provideMerge(Layer.fresh(HttpRouter.layer))),
  )
  const server = HttpEffect.toWebHandlerWith<
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >(yield* Effect.context<never>())(Context.get(built, HttpRouter.HttpRouter).asHttpEffect())

  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const text = yield* Effect.orDie(request.text)
    const toAnswer = answerTo(text)
    const { clientAddress } = yield* RequestContext
    const credentials = only(request.headers, ["x-api-key", "authorization"])
    const context = Context.make(AskApi, ({ body, method, path }) =>
      Effect.promise(async (signal) => {
        const response = await api(
          new Request(`http://api${path}`, {
            method,
            signal,
            headers: { ...credentials, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
          Context.make(PeerAddress, clientAddress),
        )
        return { status: response.status, body: await response.json() }
      }),
    )
    const send = (sent: Omit<RequestInit, "headers">, headers: Readonly<Record<string, string>>) =>
      Effect.promise((signal) =>
        server(
          new Request("http://mcp/mcp", { ...sent, signal, headers: { ...accepted, ...headers } }),
          context,
        ),
      )
    const refusal = allowsWrites ? undefined : refusalOf(text)
    if (refusal !== undefined) return HttpServerResponse.jsonUnsafe(refusal)
    const own = only(request.headers, ["mcp-protocol-version", "mcp-method", "mcp-name"])
    const message = { method: "POST", body: text }
    const end = (response: Response) => {
      const session = response.headers.get("mcp-session-id")
      return session === null
        ? Effect.void
        : send({ method: "DELETE" }, { "mcp-session-id": session })
    }

    if (own["mcp-protocol-version"] === withoutSessions.protocolVersion) {
      return yield* Effect.flatMap(send(message, own), toAnswer)
    }
    if (opensSession(text)) return yield* Effect.acquireUseRelease(send(message, {}), toAnswer, end)
    const protocolVersion = own["mcp-protocol-version"] ?? versionUnnamed
    return yield* Effect.acquireUseRelease(
      send({ method: "POST", body: initialize(protocolVersion) }, {}),
      (opened) =>
        Effect.flatMap(
          send(message, {
            "mcp-protocol-version": protocolVersion,
            "mcp-session-id": opened.headers.get("mcp-session-id")!,
          }),
          toAnswer,
        ),
      end,
    )
  })
})

const accepted = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
}

const only = (
  headers: Readonly<Record<string, string | undefined>>,
  names: ReadonlyArray<string>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(headers, name) ? headers[name] : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )

const opensSession = (text: string): boolean =>
  Option.exists(readMethod(text), ({ method }) => method === "initialize")

const readMethod = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ method: Schema.String })),
)

const readCall = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      id: Schema.Union([Schema.String, Schema.Number]),
      method: Schema.Literal("tools/call"),
      params: Schema.Struct({ name: Schema.String }),
    }),
  ),
)

/** For a call of a tool that is switched off; the library would only say that the tool does not exist. */
const refusalOf = (text: string) =>
  Option.flatMapNullishOr(readCall(text), ({ id, params }) => {
    const message = disabledMessage(params.name)
    return message && { jsonrpc: "2.0", id, error: { code: -32_602, message } }
  }).pipe(Option.getOrUndefined)

const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "footfall", version } },
  })

/** Maximum length of a response. */ // spec 16.9
const answerBytesMax = 4 * 1024 * 1024

/** The complete response, because its source ends with the session. */
const answerTo = (text: string) => (response: Response) =>
  Effect.map(
    Effect.promise(() => textOf(response)),
    (body) => {
      if (body === undefined) return HttpServerResponse.jsonUnsafe(tooLong(text))
      if (body === "") return HttpServerResponse.empty({ status: response.status })
      return HttpServerResponse.text(body, {
        status: response.status,
        contentType: response.headers.get("content-type") ?? "application/json",
        headers: {
          "cache-control": "no-store",
          ...only(Object.fromEntries(response.headers), ["mcp-protocol-version"]),
        },
      })
    },
  )

/** Undefined if it is too long. */
const textOf = async ({ body }: Response): Promise<string | undefined> => {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    // Leaving the loop cancels the rest.
    if (bytes > answerBytesMax) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString("utf8")
}

const tooLong = (text: string) => ({
  jsonrpc: "2.0",
  id: Option.match(readId(text), { onNone: () => null, onSome: ({ id }) => id }),
  error: {
    code: -32_603,
    message: `The response is larger than ${answerBytesMax} bytes. Ask for fewer rows, or send fewer calls in one message.`,
  },
})

const readId = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Number]) })),
)

/** The number of calls in a message: a batch of the older versions has several. */
export const callsIn = (text: string): number => {
  if (!text.trimStart().startsWith("[")) return 1
  return Option.match(readBatch(text), { onNone: () => 1, onSome: ({ length }) => length })
}

const readBatch = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.Unknown)))

// The agent tools and resources, registered with Effect's MCP server. A tool calls this server's own API with the
// credentials of the request that called it, so rights, limits, audit and masking are the caller's.

/** Calls the API as the sender of the current message. Set for every message. */
class AskApi extends Context.Reference<(request: ApiRequest) => Effect.Effect<ApiAnswer>>(
  "@footfall/server/agents/AskApi",
  { defaultValue: () => () => Effect.die("No message is being answered.") },
) {}

const Tools = (allowsWrites: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      for (const tool of agentTools(allowsWrites)) {
        const { description, inputSchema, isOpenWorld, isWrite, name, outputSchema, title } = tool
        yield* server.addTool({
          tool: new McpSchema.Tool({
            name,
            title,
            description,
            inputSchema,
            outputSchema: { ...outputSchema },
            annotations: {
              title,
              readOnlyHint: !isWrite,
              destructiveHint: false,
              idempotentHint: !isWrite,
              openWorldHint: isOpenWorld,
            },
          }),
          annotations: Context.empty(),
          handle: (given) => answered(tool.run(given ?? {})),
        })
      }
      yield* Effect.forEach(
        agentResources,
        ({ description, mimeType, name, text, uri }) =>
          McpServer.registerResource({
            uri,
            name,
            description,
            mimeType,
            content: Effect.succeed(text),
          }),
        { discard: true },
      )
    }),
  )

/** Feeds the run the responses it requests, until it has a result. */
const answered = Effect.fnUntraced(function* (run: ToolRun) {
  const ask = yield* AskApi
  let step = run.next()
  while (!step.done) step = run.next(yield* ask(step.value))
  return new McpSchema.CallToolResult(step.value)
})
