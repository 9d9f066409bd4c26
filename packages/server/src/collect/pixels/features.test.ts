import { features } from "@footfall/pixel/features"
import { describe, expect, it } from "vitest"
import { type Choosing, embeddedOf, featuresOf } from "./script.ts"

const granted = { consent: "granted" }
const choosing = (change: Partial<Choosing> = {}): Choosing => ({
  settings: granted,
  excludedPaths: null,
  includedPaths: null,
  ...change,
})

describe("the script parts that a pixel needs (spec 6.1)", () => {
  it.each([
    ["no settings: consent is auto", { settings: {} }, ["consent"]],
    ["consent auto", { settings: { consent: "auto" } }, ["consent"]],
    ["consent required", { settings: { consent: "required" } }, ["consent"]],
    ["consent denied", { settings: { consent: "denied" } }, ["consent"]],
    ["consent granted", {}, []],
    ["capture off", { settings: { ...granted, emailCapture: "off" } }, []],
    ["capture of forms", { settings: { ...granted, emailCapture: "forms" } }, ["capture"]],
    ["capture of all", { settings: { ...granted, emailCapture: "all" } }, ["capture"]],
    ["page views by path", { settings: { ...granted, spa: "auto" } }, []],
    ["manual page views", { settings: { ...granted, spa: "off" } }, ["options"]],
    ["an id in memory only", { settings: { ...granted, cookies: "none" } }, ["options"]],
    [
      "an id shared by subdomains",
      { settings: { ...granted, cookieDomain: "x.example" } },
      ["options"],
    ],
    ["Do Not Track", { settings: { ...granted, respectDnt: true } }, ["options"]],
    ["page views by fragment", { settings: { ...granted, spa: "hash" } }, ["hash"]],
    ["excluded paths", { excludedPaths: ["/app"] }, ["paths"]],
    ["included paths", { includedPaths: ["/shop"] }, ["paths"]],
    [
      "default settings and server-only settings",
      {
        settings: {
          ...granted,
          ...{ cookies: "first-party", respectDnt: false },
          ...{ pricingPaths: ["/cost"], topicRules: [{ path: "/x", topicId: 1 }] },
        },
      },
      [],
    ],
    [
      "everything",
      { settings: { emailCapture: "all", spa: "hash" }, includedPaths: ["/shop"] },
      ["capture", "consent", "hash", "paths"],
    ],
  ] as const)("%s: %j", (_, change, expected) => {
    expect(featuresOf(choosing(change))).toEqual(expected)
  })
})

describe("the settings in a script", () => {
  const pixel = choosing({
    settings: {
      ...{ consent: "required", emailCapture: "off", spa: "off", cookies: "none" },
      ...{ cookieDomain: "x.example", respectDnt: true, pricingPaths: ["/cost"] },
      ...{ demoPaths: ["/try"], topicRules: [{ path: "/x", topicId: 1 }] },
    },
    excludedPaths: ["/app"],
  })
  const options = { spa: "off", cookies: "none", cookieDomain: "x.example", respectDnt: true }

  it("are those that its parts read, without those that only the server needs", () => {
    expect(embeddedOf(pixel, [])).toEqual({})
    expect(embeddedOf(pixel, ["consent"])).toEqual({ consent: "required" })
    expect(embeddedOf(pixel, ["hash"])).toEqual({ spa: "off" })
    expect(embeddedOf(pixel, ["options"])).toEqual(options)
    expect(embeddedOf(pixel, ["paths"])).toEqual({ excludedPaths: ["/app"] })
    expect(embeddedOf(pixel, features)).toEqual({
      ...options,
      consent: "required",
      emailCapture: "off",
      excludedPaths: ["/app"],
    })
  })

  it("leave out unset ones", () => {
    expect(embeddedOf(choosing({ settings: {} }), features)).toEqual({})
    expect(embeddedOf(choosing({ settings: { spa: null } }), features)).toEqual({})
  })
})
