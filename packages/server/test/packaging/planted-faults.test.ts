// The faults that `npm run mutate` plants. It takes too long for every change, so a change of the source can leave a
// fault behind that no longer applies.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { AppSlug } from "../../src/activation/destinations/accounts/account.ts"
import { faults } from "../../../../scripts/mutate/faults.ts"

/** The tests of one service, in files that test all of them. */
const isService = (name: string): boolean => AppSlug.literals.some((slug) => name === `^${slug}`)

const root = new URL("../../../../", import.meta.url).pathname

it("the text of each planted fault occurs once in its file, and its tests exist", () => {
  const stale = faults.filter(({ file, find, tests }) => {
    const pieces = readFileSync(join(root, file), "utf8").split(find)
    return pieces.length !== 2 || !tests.every((test) => existsSync(join(root, test)))
  })

  expect(faults.length).toBeGreaterThan(0)
  expect(stale.map(({ bug, file }) => `${file}: ${bug}`)).toEqual([])
})

it("the tests named by each planted fault exist", () => {
  const stale = faults.flatMap(({ bug, named = "", tests }) => {
    const text = tests.map((test) => readFileSync(join(root, test), "utf8")).join("\n")
    // The start of a pattern may be a group whose name is a parameter, and so is the name of a service.
    return named
      .split("|")
      .filter((name) => !isService(name))
      .filter((name) => !new RegExp(name.split(".*").at(-1)!).test(text))
      .map((name) => `${name}: ${bug}`)
  })

  expect(stale).toEqual([])
})
