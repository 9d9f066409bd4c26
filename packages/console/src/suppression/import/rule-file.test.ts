// A file with too many rules to distinguish isn't compared, so that no rule is removed by mistake.
import { DigestSet } from "@footfall/normal-form/reading"
import { expect, test } from "vitest"
import { RuleFile } from "./rule-file.ts"

/** 16 tables of 256 slots are full at 3,072 rules. */
const [few, many] = [2_000, 5_000]

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `person${index}@acme.example`)

const rules = (count: number) =>
  addresses(count).map((value) => ({ type: "email" as const, value }))

const read = async (count: number) => {
  const file = new RuleFile(
    new File([addresses(count).join("\n")], "rules.txt"),
    () => {},
    () => new DigestSet(2 ** 8),
  )
  await file.detectFormat({ type: "email", column: undefined })
  await file.read()
  return file
}

test.each([
  ["file", many, few, "rules.txt has too many rules"],
  ["list", few, many, "The list has too many rules"],
])("a %s with too many rules is rejected", async (_what, wanted, present, message) => {
  const file = await read(wanted)

  expect(() => file.compare(rules(present))).toThrow(message)
})

test("a rule in both the file and the list is not a change", async () => {
  const file = await read(few)

  file.compare(rules(few))

  expect(await file.difference()).toMatchObject({ removals: { email: 0 }, additions: { email: 0 } })
})

test("a rule that shifted onto the next page of the list is compared once", async () => {
  const file = await read(1)
  const gone = [{ type: "email" as const, value: "gone@acme.example" }]

  file.compare(gone)
  file.compare(gone)

  expect(await file.difference()).toMatchObject({ present: { email: 1 }, removals: { email: 1 } })
})

test("an import that is continued begins with the first rule that was not sent", async () => {
  const file = await read(few)

  file.start("all", 500)

  const next = await file.next()
  expect(next).toHaveLength(1_500)
  expect(next[0]?.value).toBe("person500@acme.example")
})
