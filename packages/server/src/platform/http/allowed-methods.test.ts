import { describe, expect, it } from "vitest"
import { allowedMethods } from "./allowed-methods.ts"

const routes = [
  { method: "GET", path: "/v1/data/pixels" },
  { method: "POST", path: "/v1/data/pixels" },
  { method: "PATCH", path: "/v1/data/pixels/:id" },
  { method: "DELETE", path: "/v1/data/pixels/:id" },
  { method: "POST", path: "/v1/data/pixels/preview" },
  { method: "GET", path: "/p/:script" },
  { method: "POST", path: "/p/:pixelId/e" },
  { method: "OPTIONS", path: "/p/:pixelId/e" },
  { method: "GET", path: "/files/*" },
]

describe("the methods of a path, for 405 and `Allow` (spec 1.4)", () => {
  it.each([
    ["/v1/data/pixels", ["GET", "HEAD", "POST"]],
    ["/v1/data/pixels/7", ["DELETE", "PATCH"]],
    ["/v1/data/pixels/preview", ["POST"]],
    ["/p/abc.js", ["GET", "HEAD"]],
    ["/p/abc/e", ["OPTIONS", "POST"]],
    ["/files/a/b", ["GET", "HEAD"]],
  ])("%s accepts %j", (path, methods) => {
    expect(allowedMethods(routes, path)).toEqual(methods)
  })

  it.each([
    ["an unknown path", "/v2/data"],
    ["the root", "/"],
    ["a trailing slash", "/v1/data/pixels/"],
    ["another case", "/V1/data/pixels"],
    ["a doubled slash", "//v1/data/pixels"],
    ["one segment more", "/p/abc/e/f"],
    ["an empty parameter", "/p//e"],
    ["no text at all", ""],
  ])("%s accepts none", (_, path) => {
    expect(allowedMethods(routes, path)).toEqual([])
  })
})
