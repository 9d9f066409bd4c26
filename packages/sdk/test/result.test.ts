import { expect, expectTypeOf, it } from "vitest"
import { type FootfallError, result } from "../src/index.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { refuse, succeed } from "./support/steps.ts"
import { call, testTransport } from "./support/transport.ts"
import { ManualClock } from "./support/manual-clock.ts"

it("returns the value or the error of a call, typed", async () => {
  await using server = await scriptedServer([succeed(["p"]), refuse(404, "NOT_FOUND")])
  const transport = testTransport({ baseUrl: server.baseUrl }, new ManualClock())
  const ask = () => transport.requestData<ReadonlyArray<string>>(call())

  const found = await result(ask())
  const missing = await result(ask())

  expect(found).toEqual({ ok: true, value: ["p"], error: null })
  expect(missing).toMatchObject({ ok: false, value: null, error: { code: "NOT_FOUND" } })
  if (found.ok) expectTypeOf(found.value).toEqualTypeOf<ReadonlyArray<string>>()
  else expectTypeOf(found.error).toEqualTypeOf<FootfallError>()
})

it("rejects with a bug in the program", async () => {
  await expect(result(Promise.reject(new TypeError("mistake")))).rejects.toThrow(TypeError)
})
