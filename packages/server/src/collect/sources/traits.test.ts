// How traits of the tracking contract become ours (spec 15.2.2).
import { describe, expect, it } from "vitest"
import { companyTraits, personTraits } from "./traits.ts"

it("a person's own id is kept, however many other traits they have", () => {
  const others = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`trait${at}`, "x"]))

  expect(personTraits(others, "customer-7").custom).toMatchObject({ external_id: "customer-7" })
})

describe("an empty text is no trait, and hides none", () => {
  it.each([
    [
      { firstName: "", lastName: " ", name: "Ada  King Lovelace" },
      { firstName: "Ada", lastName: "King Lovelace" },
    ],
    [{ firstName: "", first_name: "Ada" }, { firstName: "Ada" }],
    [{ lastName: "", last_name: "King", name: "Ada" }, { lastName: "King" }],
    [{ name: "Ada" }, { firstName: "Ada" }],
    [{ name: "  " }, {}],
    [{ jobTitle: "", title: "Analyst" }, { jobTitle: "Analyst" }],
    [{ jobTitle: "Analyst", title: "" }, { jobTitle: "Analyst" }],
    [{ companyName: "", company: "Engines" }, { companyName: "Engines" }],
    [
      {
        companyName: "",
        companyDomain: " ",
        company: { name: "Engines", domain: "", website: "engines.example" },
      },
      { companyName: "Engines", companyDomain: "engines.example" },
    ],
  ])("of a person: %j", (given, traits) => {
    expect(personTraits(given, undefined)).toEqual({ ...traits, custom: {} })
  })

  it("of a company", () => {
    expect(companyTraits({ name: "Engines", domain: "", website: "engines.example" })).toEqual({
      companyName: "Engines",
      companyDomain: "engines.example",
    })
  })
})
