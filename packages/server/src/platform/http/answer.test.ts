// What every response contains, whichever part of the server produced it.
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { expect, it } from "vitest"
import { answer } from "./answer.ts"

const answered = (response: HttpServerResponse.HttpServerResponse) =>
  HttpEffect.toWebHandler(answer(Effect.succeed(response), []))(new Request("http://host/path"))

it("a 503 has Retry-After, even if the code that created it set none", async () => {
  const plain = await answered(HttpServerResponse.empty({ status: 503 }))
  const own = await answered(
    HttpServerResponse.empty({ status: 503, headers: { "retry-after": "5" } }),
  )
  const other = await answered(HttpServerResponse.empty({ status: 200 }))

  expect(plain.headers.get("retry-after")).toBe("1")
  expect(own.headers.get("retry-after")).toBe("5")
  expect(other.headers.get("retry-after")).toBeNull()
})
