// Data keys for tests: fixed ones where there is no server, and those of a database that a server has started on.
import { Effect, Layer, Redacted } from "effect"
import { DataKeys, dataKeysOf, dataKeysOfOpened, openedKeys } from "../../src/secrets/data-keys.ts"
import type { DataKeyRow } from "../../src/secrets/store.ts"
import { wrap } from "../../src/secrets/wrapping.ts"
import { secretKeysOf } from "../../src/secrets/secrets.ts"

const fixed = secretKeysOf([Redacted.make("a secret of these tests, of 32 characters")])

export const fixedDataKeys = Layer.succeed(
  DataKeys,
  dataKeysOf((purpose) => fixed.formerKeys(purpose)),
)

/**
 * `sql` runs one statement; `secret` is the server's. Before its first start: those that it makes for an
 * installation that has organizations already.
 */
export const dataKeysIn = async (
  sql: (text: string, values: ReadonlyArray<unknown>) => Promise<unknown>,
  secret: string,
): Promise<DataKeys["Service"]> => {
  const secrets = secretKeysOf([Redacted.make(secret)])
  const rows = (await sql(
    "select purpose, number, wrapped from data_key order by purpose, number",
    [],
  )) as ReadonlyArray<DataKeyRow>
  return rows.length === 0
    ? dataKeysOf((purpose) => secrets.formerKeys(purpose))
    : dataKeysOfOpened(await Effect.runPromise(openedKeys(secrets, rows)))
}

/** What `footfall-server secrets rotate` does to a database: its data keys open with `to` from then on. */
export const rotateDataKeys = async (
  sql: (text: string, values: ReadonlyArray<unknown>) => Promise<unknown>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> => {
  const keysOf = (secret: string) => secretKeysOf([Redacted.make(secret)])
  const rows = await sql("select purpose, number, wrapped from data_key", [])
  const opened = await Effect.runPromise(
    openedKeys(keysOf(from), rows as ReadonlyArray<DataKeyRow>),
  )
  for (const { key, number, purpose } of opened) {
    const wrapped = wrap(keysOf(to).wrappingKeys()[0]!, { purpose, number }, key)
    await sql("update data_key set wrapped = $1 where purpose = $2 and number = $3", [
      wrapped,
      purpose,
      number,
    ])
  }
}
