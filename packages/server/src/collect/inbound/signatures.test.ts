// Signatures by the vendors' documents, over the bytes as they arrived (spec 15.3.4).
import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { isSignable, hasSignature, type SignedRequest } from "./signatures.ts"

const secret = "the vendor's secret"
const body = Buffer.from('{"email": "jane@acme.example" }')
const receivedAt = 1_773_219_901_000
const hmac = (text: string | Buffer, key = secret) => createHmac("sha256", key).update(text)
const seconds = receivedAt / 1_000

const calendly = (time: number, key = secret) =>
  `t=${time},v1=${hmac(Buffer.concat([Buffer.from(`${time}.`), body]), key).digest("hex")}`

const cases = [
  ["typeform", "typeform-signature", `sha256=${hmac(body).digest("base64")}`],
  ["tally", "tally-signature", hmac(body).digest("base64")],
  ["calcom", "x-cal-signature-256", hmac(body).digest("hex")],
  ["calendly", "calendly-webhook-signature", calendly(seconds)],
] as const

const request = (header: string, value: string | undefined, bytes = body): SignedRequest => ({
  headers: { [header]: value },
  body: bytes,
  receivedAt,
})

describe.each(cases)("%s", (preset, header, value) => {
  it("its signature is right", () => {
    expect(hasSignature(preset, [secret], request(header, value))).toBe(true)
  })

  it("the former secret is good beside the new one", () => {
    expect(hasSignature(preset, ["new", secret], request(header, value))).toBe(true)
  })

  it.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["another secret's", value.replace(/[A-Za-z0-9+/]{8}(?==*$)/, "AAAAAAAA")],
    ["a cut one", value.slice(0, -4)],
    ["one that is too long", `${value}${"A".repeat(600)}`],
  ])("%s is wrong", (_, given) => {
    expect(hasSignature(preset, [secret], request(header, given))).toBe(false)
  })

  it("a changed byte of the body is wrong", () => {
    const changed = Buffer.from(body)
    changed[3]! ^= 1
    expect(hasSignature(preset, [secret], request(header, value, changed))).toBe(false)
  })
})

it("Calendly's time may be five minutes from ours, and no more", () => {
  const at = (offset: number) =>
    hasSignature(
      "calendly",
      [secret],
      request("calendly-webhook-signature", calendly(seconds + offset)),
    )
  expect([at(-300), at(300), at(-301), at(301)]).toEqual([true, true, false, false])
})

it("RB2B and the generic preset have no signature", () => {
  expect([isSignable("rb2b"), isSignable("generic"), isSignable("tally")]).toEqual([
    false,
    false,
    true,
  ])
})
