// "Ignoring case" means one thing: every Unicode character folds to the same text in Node and in Postgres, by
// Unicode's simple case folding, which regular expressions use.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { foldCase } from "../../../src/platform/database/case-folding.ts"
import { TestDatabase } from "../../support/database.ts"

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))

const fold = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly folded: string }>`select fold_case(${text}) as folded`
    return row?.folded
  })

layer(TestDatabase.layer, { excludeTestServices: true })("case folding", (it) => {
  it.effect("every character folds to the same text in Postgres and Node", () =>
    Effect.gen(function* () {
      const ascii = characters.slice(0, 127).join("")
      assert.strictEqual(yield* fold(ascii), ascii.toLowerCase())
      for (let start = 0; start < characters.length; start += 50_000) {
        const text = `é${characters.slice(start, start + 50_000).join("")}`
        assert.strictEqual(yield* fold(text), foldCase(text))
      }
    }),
  )

  it.effect("two characters that differ only in case fold to the same one, and no others do", () =>
    Effect.sync(() => {
      const cased = characters.filter((one) => one.toLowerCase() !== one || foldCase(one) !== one)
      for (const one of cased) {
        const folded = foldCase(one)
        assert.isTrue(isSame(one, folded), `${one} ${folded}`)
        assert.strictEqual(foldCase(folded), folded)
        for (const other of [one.toLowerCase(), one.toUpperCase()]) {
          if ([...other].length === 1 && isSame(one, other)) {
            assert.strictEqual(foldCase(other), folded, `${one} ${other}`)
          }
        }
      }
      assert.isAbove(cased.length, 1_400)
    }),
  )

  it.effect("null stays null, and an empty text empty", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select fold_case(null) as nothing, fold_case('') as empty`
      assert.deepStrictEqual(rows, [{ nothing: null, empty: "" }])
    }),
  )
})

const isSame = (one: string, other: string): boolean => {
  const code = one.codePointAt(0)!.toString(16)
  return new RegExp(`^\\u{${code}}$`, "iu").test(other)
}
