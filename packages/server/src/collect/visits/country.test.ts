// Which texts are countries (spec 2.2.3).
import { expect, it } from "vitest"
import { readConsentCountry, readCountry } from "./country.ts"

it.each([
  ["DE", "DE"],
  [" fr ", "FR"],
  ["UK", "GB"],
  ["uk", "GB"],
  ["GB", "GB"],
  ["AX", "AX"],
  ["XX", undefined],
  ["ZZ", undefined],
  ["T1", undefined],
  ["A1", undefined],
  ["EU", undefined],
  ["AP", undefined],
  ["SU", undefined],
  ["USA", undefined],
  ["", undefined],
  [undefined, undefined],
])("%j is read as %j", (text, country) => {
  expect(readCountry(text)).toBe(country)
})

it("has the 249 codes that are assigned, as the names of Intl know them", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" })
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
  const read = letters
    .flatMap((one) => letters.map((other) => one + other))
    .filter((code) => readCountry(code) === code)
  expect(read).toHaveLength(249)
  expect(read.filter((code) => names.of(code) === undefined)).toEqual([])
})

it("EU asks for consent, and is stored as no country", () => {
  expect(readConsentCountry("eu")).toBe("EU")
  expect(readConsentCountry("uk")).toBe("GB")
  expect(readConsentCountry("XX")).toBeUndefined()
})
