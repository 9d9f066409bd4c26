import { NodeServices } from "@effect/platform-node"
import { featureSets, variantName } from "@footfall/pixel/features"
import { Context, Effect, Layer } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { assemble, PixelScript, scriptHash } from "./script.ts"
import type { HostedPixelRow } from "./store.ts"

const now = "2026-03-11T08:42:12.000Z"

const makePixel = (change: Partial<HostedPixelRow> = {}): HostedPixelRow => ({
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  id: "cdd19037-47fb-4e21-a054-2da787925aea",
  domain: "tidewater.example",
  name: "Tidewater",
  status: "active",
  pausedReason: null,
  excludedPaths: null,
  includedPaths: null,
  settings: {},
  verifiedAt: null,
  lastEventAt: null,
  createdAt: now,
  updatedAt: now,
  organizationStatus: "active",
  party: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  excludedIps: [],
  ...change,
})

const build = (path: string) =>
  Effect.runPromise(
    Layer.build(PixelScript.layer(path)).pipe(
      Effect.map((built) => Context.get(built, PixelScript)),
      Effect.scoped,
      Effect.provide(NodeServices.layer),
    ),
  )

let directory: string
let scripts: PixelScript["Service"]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "footfall-script-"))
  for (const name of featureSets.map(variantName)) {
    const text = `variant = "${name}"; seen = __FOOTFALL_SETTINGS__;`
    await writeFile(join(directory, `${name}.js`), text)
  }
  scripts = await build(directory)
})
afterAll(() => rm(directory, { recursive: true }))

interface Page {
  /** The settings as the script's code sees them. */
  readonly seen?: Readonly<Record<string, unknown>>
  readonly variant?: string
}

const run = (body: string): Page => {
  const page: Page = {}
  runInNewContext(body, page)
  return structuredClone(page)
}

const settingsSeen = (pixel: HostedPixelRow) => {
  const { full: _, ...settings } = run(scripts.render(pixel).body).seen ?? {}
  return settings
}

const hash = expect.stringMatching(/^[0-9a-f]{16}$/)

describe("the script of a pixel (spec 6.1)", () => {
  it("contains the id and exactly the settings that are set", () => {
    expect(settingsSeen(makePixel())).toEqual({ id: makePixel().id })
    expect(
      settingsSeen(
        makePixel({ settings: { consent: "required", spa: null }, excludedPaths: ["/app"] }),
      ),
    ).toEqual({ id: makePixel().id, consent: "required", excludedPaths: ["/app"] })
    expect(settingsSeen(makePixel({ includedPaths: ["/shop"] }))).toEqual({
      id: makePixel().id,
      includedPaths: ["/shop"],
    })
  })

  it("has exactly the parts that its settings need", () => {
    const granted = { consent: "granted" }
    const variantOf = (change: Partial<HostedPixelRow>) =>
      run(scripts.render(makePixel(change)).body).variant

    expect(variantOf({})).toBe("consent")
    expect(variantOf({ settings: granted })).toBe("core")
    expect(variantOf({ settings: { ...granted, spa: "hash" }, excludedPaths: ["/app"] })).toBe(
      "hash-paths",
    )
    expect(variantOf({ settings: { ...granted, emailCapture: "all" } })).toBe("capture")
  })

  it("has no settings for omitted parts, and the hash of the full script", () => {
    const pixel = makePixel({
      settings: { consent: "granted", emailCapture: "off", spa: "off" },
    })
    const { parts, full } = scripts.compose(pixel)
    const whole = run(assemble(full!))

    expect(run(assemble(parts)).seen).toEqual({
      id: pixel.id,
      spa: "off",
      full: scriptHash(assemble(full!)),
    })
    expect(whole).toEqual({
      variant: "capture-consent-hash-options-paths",
      seen: { id: pixel.id, consent: "granted", emailCapture: "off", spa: "off" },
    })
  })

  it("with every part is the full script and references no other", () => {
    const settings = { spa: "hash", emailCapture: "forms", cookies: "none" }
    const composition = scripts.compose(makePixel({ settings, excludedPaths: ["/app"] }))

    expect(composition.full).toBeUndefined()
    expect(run(assemble(composition.parts)).seen).not.toHaveProperty("full")
  })

  it("references another full script when a setting changes that only the full script reads", () => {
    const fullOf = (settings: HostedPixelRow["settings"]) =>
      run(scripts.render(makePixel({ settings })).body).seen?.["full"]

    expect(fullOf({})).toEqual(hash)
    expect(fullOf({ emailCapture: "off" })).not.toBe(fullOf({}))
  })

  it("does not reveal which topics the pages belong to", () => {
    const settings = { topicRules: [{ path: "/pricing", topicId: 7 }] }

    expect(scripts.render(makePixel({ settings })).body).not.toContain("topic")
  })

  it.each(["</script><script>alert(1)</script>", "<!--", "$&$`$'$1", '"};alert(1);{"', "\u2028\\"])(
    "never executes a setting as code: %j",
    (value) => {
      const pixel = makePixel({ settings: { cookieDomain: value } })

      expect(settingsSeen(pixel)).toMatchObject({ cookieDomain: value })
      expect(scripts.render(pixel).body).not.toContain("<")
    },
  )

  it.each([
    [{ status: "paused", pausedReason: "manual" }, "the pixel is paused"],
    [{ organizationStatus: "suspended" }, "the organization is not active"],
    [{ organizationStatus: "expired" }, "the organization is not active"],
  ] as const)("only logs the reason: %j", (change, reason) => {
    const said: Array<string> = []
    const { body } = scripts.render(makePixel(change))

    runInNewContext(body, { console: { debug: (text: string) => said.push(text) } })

    expect(said).toEqual([`footfall: ${reason}`])
    expect(body.length).toBeLessThan(100)
  })

  it("of a trial organization works", () => {
    expect(settingsSeen(makePixel({ organizationStatus: "trial" }))).toBeDefined()
  })

  it("has the same ETag for the same state and another one for another state", () => {
    const one = scripts.render(makePixel({ settings: { consent: "required" } }))
    const again = scripts.render(makePixel({ settings: { consent: "required" } }))
    const others = [
      makePixel(),
      makePixel({ settings: { consent: "denied" } }),
      makePixel({ status: "paused", pausedReason: "manual" }),
      makePixel({ id: "88ac470a-224f-4bdb-a28b-577d65372edd" }),
    ].map((pixel) => scripts.render(pixel).etag)

    expect(again).toEqual(one)
    expect(one.etag).toMatch(/^"[A-Za-z0-9_-]{22}"$/)
    expect(new Set([one.etag, ...others]).size).toBe(5)
  })

  it("does not change with a new event, because it contains only what browsers need", () => {
    expect(
      scripts.render(makePixel({ lastEventAt: now, name: "Other", updatedAt: now })).etag,
    ).toBe(scripts.render(makePixel()).etag)
  })
})

it("the start fails if the build lacks one of the scripts", async () => {
  await expect(build(join(directory, "missing"))).rejects.toThrow("missing")
})
