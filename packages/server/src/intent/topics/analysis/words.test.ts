import { describe, expect, it } from "vitest"
import { wordsOf } from "./words.ts"

const stems = (text: string) => wordsOf(text).map((part) => part.map(({ stem }) => stem).join(" "))

describe("the words of a text", () => {
  it.each([
    ["Warehouse Management Software", ["warehouse management software"]],
    ["Docks, yards and trucks. Fast!", ["dock", "yard and truck", "fast"]],
    ["E-commerce Platform", ["ecommerce platform"]],
    ["A/B Testing", ["ab testing"]],
    ["the company's drivers’ app", ["the company driver app"]],
    ["don't", ["dont"]],
    ["Café Crème", ["cafe creme"]],
    ["ﬁle", ["file"]],
    ["SOC 2, ISO 27001", ["soc 2", "iso 27001"]],
    ["C++ and C#", ["c++ and c#"]],
    ["version 2.5 of it", ["version 2 5 of it"]],
    ["pricing (monthly)", ["pricing", "monthly"]],
    ["Lager · Logistik", ["lager", "logistik"]],
    ["склад и доки", ["склад и доки"]],
    ["Really?! Yes ... no", ["really", "yes", "no"]],
    ["— … ! ?", []],
  ])("%j", (text, parts) => {
    expect(stems(text)).toEqual(parts)
  })

  it.each([
    ["warehouses", "warehouse"],
    ["deliveries", "delivery"],
    ["processes", "process"],
    ["boxes", "box"],
    ["switches", "switch"],
    ["business", "business"],
    ["status", "status"],
    ["gas", "gas"],
    ["sms", "sms"],
    ["analytics", "analytic"],
  ])("%s is compared as %s", (word, stem) => {
    expect(stems(word)).toEqual([stem])
  })
})
