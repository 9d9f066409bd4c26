// Which addresses belong to one person, according to aliases (spec 2.1, 2.19).
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { Person } from "../profile.ts"
import { type Alias, AliasGraph } from "./alias-graph.ts"

const lead = (emailHash: string, personHash: string, organizationId = "o"): Alias => ({
  organizationId,
  emailHash,
  personHash,
})

const record = (emailHash: string, organizationId = "o"): Person => ({
  organizationId,
  emailHash,
  email: null,
  emails: [],
  businessEmail: null,
  personalEmail: null,
  profile: {},
})

const graph = (aliases: ReadonlyArray<Alias>, people: ReadonlyArray<Person> = []) =>
  new AliasGraph({ aliases, people, erased: [] })

describe("graph", () => {
  it("an unknown address is a person of its own", () => {
    assert.deepStrictEqual(graph([]).membersOf("o", "a"), ["a"])
  })

  it("addresses that lead to the same one, directly or through others, are one person", () => {
    const all = graph([lead("c", "b"), lead("b", "a"), lead("d", "a"), lead("x", "y")])
    for (const hash of ["a", "b", "c", "d"]) {
      assert.strictEqual(all.rootOf("o", hash), "a")
      assert.deepStrictEqual(all.membersOf("o", hash), ["a", "b", "d", "c"])
    }
  })

  it("records that name each other are one person, represented by the lowest address", () => {
    const all = graph([lead("b", "c"), lead("c", "b"), lead("a", "c")])
    assert.deepStrictEqual(
      ["a", "b", "c"].map((hash) => all.rootOf("o", hash)),
      ["b", "b", "b"],
    )
    assert.deepStrictEqual(all.membersOf("o", "a"), ["b", "c", "a"])
  })

  it("an address that leads only to itself is a person of its own", () => {
    assert.strictEqual(graph([lead("a", "a")]).rootOf("o", "a"), "a")
  })

  it("the organization's own alias takes precedence over a shared one", () => {
    const all = graph([lead("b", "shared", sharedOrganizationId), lead("b", "own")])
    assert.strictEqual(all.rootOf("o", "b"), "own")
    assert.deepStrictEqual(all.membersOf("o", "shared"), ["shared"])
    assert.strictEqual(all.rootOf("other", "b"), "shared")
  })

  it("nothing leads to or from an address whose person the organization has erased", () => {
    const all = new AliasGraph({
      aliases: [
        lead("b", "a", sharedOrganizationId),
        lead("c", "b", sharedOrganizationId),
        lead("d", "c", sharedOrganizationId),
      ],
      people: [record("a", sharedOrganizationId), record("b", sharedOrganizationId)],
      erased: [{ organizationId: "o", emailHash: "b" }],
    })

    assert.deepStrictEqual(all.membersOf("o", "d"), ["c", "d"])
    assert.deepStrictEqual(all.recordsOf("o", "d"), [])
    assert.deepStrictEqual(all.membersOf("o", "a"), ["a"])
    assert.deepStrictEqual(all.membersOf("other", "d"), ["a", "b", "c", "d"])
  })

  it("own records come before shared ones, the representative's first", () => {
    const all = graph(
      [lead("a", "b")],
      [
        record("b", sharedOrganizationId),
        record("a", sharedOrganizationId),
        record("a"),
        record("b"),
      ],
    )
    assert.deepStrictEqual(
      all.recordsOf("o", "a").map(({ emailHash, organizationId }) => [emailHash, organizationId]),
      [
        ["b", "o"],
        ["a", "o"],
        ["b", sharedOrganizationId],
        ["a", sharedOrganizationId],
      ],
    )
  })

  it("every member of a person resolves to the same person, and each address belongs to exactly one", () => {
    const names = fc.constantFrom("a", "b", "c", "d", "e", "f")
    const aliases = fc
      .uniqueArray(fc.tuple(names, names, fc.boolean()), {
        selector: ([from, , own]) => `${from}${own}`,
      })
      .map((all) => all.map(([from, to, own]) => lead(from, to, own ? "o" : sharedOrganizationId)))
    fc.assert(
      fc.property(aliases, names, (all, name) => {
        const known = graph(all)
        const members = known.membersOf("o", name)
        assert.include(members, name)
        for (const member of members) {
          assert.deepStrictEqual(known.membersOf("o", member), members)
        }
      }),
    )
  })
})
