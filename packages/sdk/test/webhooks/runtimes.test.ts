// The built subpath is small and needs nothing that a runtime may lack (spec 1.1: Node, Deno, Bun
// and edge runtimes).

import { readFile } from "node:fs/promises"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"
import type * as webhooks from "../../src/webhooks.ts"
import { workedHeaders, workedSecret, workedWebhooks } from "../support/worked-webhooks.ts"

const built = async (): Promise<string> => {
  const text = await readFile(new URL("../../dist/webhooks.js", import.meta.url), "utf8")
  return text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "")
}

it("is at most 2 KB, compressed", async () => {
  expect(gzipSync(await built(), { level: 9 }).length).toBeLessThanOrEqual(2048)
})

it("imports nothing", async () => {
  expect(await built()).not.toMatch(/\bimport\b|\brequire\b/)
})

it("needs only Web Crypto, text encoding and base64 from its runtime", async () => {
  const text = (await built()).replace(/export \{([^}]*)\};?\s*$/, "({$1})")
  const edge = createContext({ crypto, TextEncoder, TextDecoder, atob, btoa })
  // The module as an expression of its exports.
  const { signTestWebhook, verifyWebhook } = runInContext(text, edge) as typeof webhooks
  const [webhook] = workedWebhooks
  const signed = await signTestWebhook({ payload: Buffer.from("{}"), secret: workedSecret })

  const event = await verifyWebhook({
    payload: Buffer.from(webhook!.body),
    headers: new Headers(workedHeaders(webhook!)),
    secret: workedSecret,
    now: new Date(webhook!.second * 1000),
  })

  expect(event.id).toBe(webhook!.id)
  expect(signed.headers["webhook-signature"]).toMatch(/^v1,/)
})
