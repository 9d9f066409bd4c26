// What an error says about the call that failed: its line, method and route. And that `instanceof` works when an
// application has the SDK twice.

import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { causes } from "../src/core/causes.ts"
import { FootfallError } from "../src/errors/footfall-error.ts"
import { ApiError, Footfall, NotFoundError, RateLimitedError } from "../src/index.ts"
import { apiKey } from "./support/credentials.ts"

const refusing = (status: number, code: string) =>
  new Footfall({
    apiKey,
    maxRetries: 0,
    fetch: async () => Response.json({ error: { code, message: "No." }, meta: {} }, { status }),
  })
const footfall = refusing(404, "NOT_FOUND")
const id = "7a4f0f8e-7f0f-4a3c-9a6e-3f0f8d3a7c11"

/** The error of a call that `lineOfTheCaller` makes. */
const errorOf = async (lineOfTheCaller: () => PromiseLike<unknown>): Promise<Error> =>
  lineOfTheCaller().then(
    () => expect.fail("it succeeded"),
    (error: Error) => error,
  )

describe("the stack of an error", () => {
  const calls: ReadonlyArray<readonly [string, () => PromiseLike<unknown>]> = [
    [
      "a call",
      function oneCall() {
        return footfall.pixels.get(id)
      },
    ],
    [
      "a list",
      function oneList() {
        return footfall.visitors.list()
      },
    ],
    [
      "a run to start",
      function oneRun() {
        return footfall.runs.start(id)
      },
    ],
    [
      "a raw request",
      function oneRequest() {
        return footfall.request({ method: "GET", path: "/v1/x" })
      },
    ],
    [
      "a stream",
      function oneStream() {
        return footfall.runs.exportCsv(id, id)
      },
    ],
  ]

  it.each(calls)("of %s names the caller, below its message", async (_name, call) => {
    const { message, stack } = await errorOf(call)

    expect(stack).toMatch(/^NotFoundError: No\.\n {4}at /)
    expect(stack).toContain(`at ${call.name}`)
    expect(stack).toContain("errors.test.ts")
    expect(message).toBe("No.")
  })

  it("of a later page names the line that made the list", async () => {
    const pages = [Response.json({ data: [1], meta: { nextCursor: "2" } })]
    const failing = new Footfall({
      apiKey,
      maxRetries: 0,
      fetch: async () => pages.pop() ?? new Response("", { status: 500 }),
    })
    const makeList = () => failing.visitors.list()
    const readAll = async () => {
      for await (const _visitor of makeList()) await new Promise(setImmediate)
    }

    expect((await errorOf(readAll)).stack).toContain("at makeList")
  })
})

describe("the error of a call", () => {
  it("carries its method and its route, which has no ids", async () => {
    const error = await errorOf(() => footfall.pixels.writeKeys.list(id))

    expect(error).toMatchObject({ method: "GET", route: "/v1/data/pixels/:id/write-keys" })
    expect(JSON.stringify(error)).not.toContain(id)
  })

  it("carries them if nothing was received, too", async () => {
    const failing = new Footfall({
      apiKey,
      maxRetries: 0,
      fetch: () => Promise.reject(new Error("offline")),
    })

    const failed = errorOf(() => failing.suppression.add([{ type: "domain", value: "a.example" }]))

    expect(await failed).toMatchObject({ method: "POST", route: "/v1/data/suppression-rules" })
  })
})

describe("a list and a started run", () => {
  it.each([
    ["list", () => footfall.visitors.list()],
    ["run", () => footfall.runs.start(id)],
  ])("have catch and finally, as a promise does (%s)", async (_name, make) => {
    const seen: Array<string> = []

    const caught = await make().catch((error: unknown) => (error as ApiError).code)
    const failed = make().finally(() => seen.push("ended"))

    expect(caught).toBe("NOT_FOUND")
    await expect(failed).rejects.toThrow(NotFoundError)
    expect(seen).toEqual(["ended"])
  })
})

describe("instanceof", () => {
  it("accepts an error of another copy of the SDK, by its class and the parents of its class", async () => {
    const copy = (await import("../src/errors/api-error.ts?copy" as string)) as {
      readonly NotFoundError: typeof NotFoundError
    }
    const init = { code: "NOT_FOUND", message: "No.", requestId: null, details: null }
    const error: unknown = new copy.NotFoundError({ ...init, status: 404, retryAfterSeconds: null })

    expect(copy.NotFoundError).not.toBe(NotFoundError)
    expect(error instanceof NotFoundError).toBe(true)
    expect(error instanceof ApiError).toBe(true)
    expect(error instanceof FootfallError).toBe(true)
    expect(error instanceof RateLimitedError).toBe(false)
  })

  it("of a class that extends one of ours accepts only its own", async () => {
    class Missing extends NotFoundError {}
    const error = await errorOf(() => footfall.pixels.get(id))

    expect(error instanceof NotFoundError).toBe(true)
    expect(error instanceof Missing).toBe(false)
    expect({ name: "NotFoundError" } instanceof NotFoundError).toBe(false)
    expect((null as unknown) instanceof (NotFoundError as never as FunctionConstructor)).toBe(false)
  })
})

it("the reason of a failure is read from an error of another realm, such as jest's", () => {
  const error: unknown = runInNewContext(
    "Object.assign(new Error('outer'), { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })",
  )

  expect(error).not.toBeInstanceOf(Error)
  expect(causes(error)).toBe("outer: refused (ECONNREFUSED)")
})
