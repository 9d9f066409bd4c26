// The body checks of spec 1.4, with a small API that has the real API's middleware, because this part of the server has
// no route with a JSON body. The server responds through `answer`.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Exit, Layer, Schema, Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { createServer, request as nodeRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answer } from "../../src/platform/http/answer.ts"
import { metaFields, success } from "../../src/platform/http/envelope.ts"
import { BodyBytesMax, bodyBytesMax, JsonBody } from "../../src/platform/http/json-body.ts"
import { RequestErrors } from "../../src/platform/http/request-errors.ts"

const Note = Schema.Struct({
  text: Schema.String,
  more: Schema.optionalKey(Schema.Json),
})
const Answer = Schema.Struct({
  data: Schema.Struct({ length: Schema.Int }),
  meta: Schema.Struct(metaFields),
})
const strict = { errors: "all", onExcessProperty: "error", reportInput: true } as const

const smallBytesMax = 100
class Notes extends HttpApiGroup.make("notes")
  .add(HttpApiEndpoint.post("add", "/notes", { payload: Note, success: Answer }))
  .add(
    HttpApiEndpoint.post("addSmall", "/small", { payload: Note, success: Answer }).annotate(
      BodyBytesMax,
      smallBytesMax,
    ),
  )
  .middleware(RequestErrors)
  .middleware(JsonBody) {}
class NotesApi extends HttpApi.make("notes")
  .add(Notes)
  .annotate(HttpApi.PayloadParseOptions, strict) {}

const lengthOf = ({ payload }: { readonly payload: typeof Note.Type }) =>
  success({ length: payload.text.length })
const NotesHandlers = HttpApiBuilder.group(NotesApi, "notes", (handlers) =>
  handlers.handleAll({ add: lengthOf, addSmall: lengthOf }),
)

const scope = Scope.makeUnsafe()
const socket = createServer()
let url: string

beforeAll(async () => {
  const routes = HttpApiBuilder.layer(NotesApi).pipe(
    Layer.provide(NotesHandlers),
    Layer.provide([RequestErrors.layer, JsonBody.layer]),
    Layer.provide(NodeHttpServer.layerHttpServices),
  )
  const listener = await Effect.runPromise(
    HttpRouter.toHttpEffect(routes).pipe(
      Effect.flatMap((app) => NodeHttpServer.makeHandler(answer(app, []), { scope })),
      Scope.provide(scope),
    ),
  )
  socket.on("request", listener)
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve))
  const { port } = socket.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  socket.closeAllConnections()
  socket.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

interface Refused {
  readonly error: {
    readonly code: string
    readonly details: {
      readonly issues?: ReadonlyArray<{
        readonly path: string
        readonly code: string
        readonly message: string
      }>
      readonly limitBytes?: number
      readonly allowed?: ReadonlyArray<string>
    }
  }
  readonly meta: { readonly request_id: string }
}

const post = (body: RequestInit["body"], headers: Record<string, string> = {}, path = "/notes") =>
  fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body ?? null,
  })

const expectRefusal = async (response: Response, status: number, code: string) => {
  // The assertions check its shape.
  const body = (await response.json()) as Refused
  expect({ status: response.status, code: body.error.code }).toEqual({ status, code })
  expect(body.meta.request_id).toBe(response.headers.get("x-request-id"))
  return body.error
}

const issuesOf = async (body: RequestInit["body"]) =>
  (await expectRefusal(await post(body), 400, "VALIDATION_ERROR")).details.issues ?? []

const note = (text: string) => JSON.stringify({ text })

it("a valid body is accepted", async () => {
  const response = await post(note("größer 😀"))

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ data: { length: 9 } })
})

it.each(["", "\uFEFF"])(
  "an empty body (%j) is reported as missing, with its path",
  async (body) => {
    expect(await issuesOf(body)).toEqual([
      { path: "/body", code: "required", message: "A JSON body is required." },
    ])
  },
)

describe("the media type is application/json in UTF-8, otherwise 415", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ])("%s is accepted", async (type) => {
    expect((await post(note("a"), { "content-type": type })).status).toBe(200)
  })

  it.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=a",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/jsonp",
    "application/vnd.api+json",
    "text/plain, application/json",
    "",
  ])("%j is rejected", async (type) => {
    const error = await expectRefusal(
      await post(new TextEncoder().encode(note("a")), { "content-type": type }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    )
    expect(error.details).toEqual({ allowed: ["application/json"] })
  })

  it.each(["gzip", "deflate", "br", "gzip, gzip", "x"])(
    "Content-Encoding %s is rejected unread",
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(1_000_000, " "))
      await expectRefusal(
        await post(bomb, { "content-encoding": encoding }),
        415,
        "UNSUPPORTED_MEDIA_TYPE",
      )
    },
  )

  it("Content-Encoding identity is accepted", async () => {
    expect((await post(note("a"), { "content-encoding": "identity" })).status).toBe(200)
  })
})

describe("a body has at most 1 MiB, or the endpoint's limit, otherwise 413", () => {
  const sized = (bytes: number) => note("a".repeat(bytes - note("").length))

  it.each([
    ["/notes", bodyBytesMax],
    ["/small", smallBytesMax],
  ])("%s: %i bytes are accepted, one more is rejected", async (path, limitBytes) => {
    expect((await post(sized(limitBytes - 1), {}, path)).status).toBe(200)
    expect((await post(sized(limitBytes), {}, path)).status).toBe(200)
    const response = await post(sized(limitBytes + 1), {}, path)
    const error = await expectRefusal(response, 413, "PAYLOAD_TOO_LARGE")
    expect(error.details).toEqual({ limitBytes })
  })

  /** Writes chunks until the server has responded. Returns the response and what was written. */
  const stream = (headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; writtenBytes: number }>((resolve, reject) => {
      let writtenBytes = 0
      const chunk = Buffer.alloc(65_536, " ")
      const request = nodeRequest(`${url}/notes`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      })
      const write = () => {
        while (!request.destroyed && writtenBytes < 64 * bodyBytesMax) {
          writtenBytes += chunk.length
          if (!request.write(chunk)) return void request.once("drain", write)
        }
        request.end()
      }
      request.on("response", (response) => {
        resolve({ status: response.statusCode, writtenBytes })
        request.destroy()
      })
      request.on("error", reject)
      write()
    })

  it("an endless chunked body is cut at the limit", async () => {
    const { status, writtenBytes } = await stream({ "transfer-encoding": "chunked" })

    expect(status).toBe(413)
    expect(writtenBytes).toBeLessThan(32 * bodyBytesMax)
  })

  it("a larger declared size is rejected before a byte is read", async () => {
    const request = nodeRequest(`${url}/notes`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": "10000000000" },
    })
    const status = await new Promise((resolve, reject) => {
      request.on("response", (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on("error", reject)
      request.flushHeaders()
    })

    expect(status).toBe(413)
  })
})

describe("an unreadable body is 400", () => {
  it.each([
    "{",
    "",
    "nul",
    "{'text': 1}",
    '{"text": "a"} x',
    "[1,]",
    "NaN",
    '"\u0001"',
    "\ufeff{}x",
  ])("%j is not JSON", async (text) => {
    const [issue] = await issuesOf(text)
    expect(["invalid_json", "type", "required"]).toContain(issue?.code)
    expect(issue?.path).toBe("/body")
  })

  it.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a surrogate in UTF-8", [0xed, 0xa0, 0x80]],
    ["a cut character", [0xf0, 0x9f, 0x98]],
  ])("%s is not UTF-8", async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')])

    expect(await issuesOf(body)).toEqual([
      expect.objectContaining({ path: "/body", code: "invalid_json" }),
    ])
  })

  it.each([
    ["NUL", '{"text":"a\\u0000b"}', "/body/text"],
    ["a lone high surrogate", '{"text":"\\ud800"}', "/body/text"],
    ["a lone low surrogate", '{"text":"a","more":["\\udc00"]}', "/body/more/0"],
    ["NUL in a key", '{"text":"a","more":{"\\u0000":1}}', "/body/more"],
    ["a key that needs an escape", '{"text":"a","more":{"a/b~c":"\\u0000"}}', "/body/more/a~1b~0c"],
  ])("%s cannot be stored", async (_, text, path) => {
    expect(await issuesOf(text)).toEqual([expect.objectContaining({ path, code: "format" })])
  })

  it("a pair of surrogates is a character", async () => {
    expect((await post('{"text":"\\ud83d\\ude00"}')).status).toBe(200)
  })

  it("64 levels are accepted, 65 are too deep, and a million do not stall the server", async () => {
    const nested = (depth: number) =>
      `{"text":"a","more":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`

    expect((await post(nested(64))).status).toBe(200)
    for (const depth of [65, 1000, 500_000]) {
      expect(await issuesOf(nested(depth))).toEqual([
        expect.objectContaining({ path: "/body", code: "too_deep" }),
      ])
    }
    expect(await issuesOf("[".repeat(1_000_000))).toEqual([
      expect.objectContaining({ code: "too_deep" }),
    ])
  })

  it("a number that is too large does not become Infinity", async () => {
    expect((await post('{"text":"a","more":1e400}')).status).toBe(400)
  })

  it("__proto__ is a name like any other", async () => {
    const [issue] = await issuesOf('{"text":"a","__proto__":{"polluted":true}}')

    expect(issue).toMatchObject({ path: "/body/__proto__", code: "unknown_field" })
    expect({}).not.toHaveProperty("polluted")
  })
})

it("unknown fields are 400, each listed", async () => {
  const issues = await issuesOf('{"text":"a","colour":"red","size":1}')

  expect(issues.map(({ code, path }) => ({ code, path }))).toEqual([
    { code: "unknown_field", path: "/body/colour" },
    { code: "unknown_field", path: "/body/size" },
  ])
})

it("415 before 413 before 400", async () => {
  const large = "{".repeat(bodyBytesMax + 1)

  expect((await post(large, { "content-type": "text/plain" })).status).toBe(415)
  expect((await post(large)).status).toBe(413)
})
