// An id cannot leave its path segment.

import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { path } from "./path.ts"

describe("path", () => {
  it("puts ids between the literals", () => {
    expect(path`/v1/data/pixels/${"a1"}/verify`()).toBe("/v1/data/pixels/a1/verify")
  })

  it("knows its route, whatever the ids look like", () => {
    expect(path`/v1/data/companies/${"acme.example"}`.route).toBe("/v1/data/companies/:id")
  })

  it.each(["", ".", ".."])("rejects %j as an id", (id) => {
    expect(path`/v1/data/pixels/${id}`).toThrow(TypeError)
  })

  it("rejects anything but a string", () => {
    const id: string = JSON.parse("null")
    expect(path`/v1/data/pixels/${id}`).toThrow(TypeError)
  })

  it("keeps every id inside its own segment, whatever it contains", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        fc.pre(id !== "." && id !== "..")
        const url = new URL(path`/v1/data/pixels/${id}/verify`(), "http://127.0.0.1:4100")
        expect(url.pathname.split("/")).toHaveLength(6)
        expect(decodeURIComponent(url.pathname.split("/")[4] ?? "")).toBe(id)
        expect(url.search + url.hash).toBe("")
      }),
    )
  })
})
