// Data keys for tests: fixed ones without a server, or those of a database on which a server has started.
import { Effect, Layer, Redacted } from "effect"
import {
  DataKeys,
  dataKeysOf,
  dataKeysOfOpened,
  openedKeys,
} from "../../src/platform/secrets/data-keys.ts"
import type { DataKeyRow } from "../../src/platform/secrets/store.ts"
import { wrap } from "../../src/platform/secrets/wrapping.ts"
import { secretKeysOf } from "../../src/platform/secrets/secrets.ts"

const fixed = secretKeysOf([Redacted.make("a secret of these tests, of 32 characters")])

export const fixedDataKeys = Layer.succeed(
  DataKeys,
  dataKeysOf((purpose) => fixed.formerKeys(purpose)),
)

/**
 * `sql` runs one statement; `secret` is the server's. Before the server's first start: the keys that it creates for an
 * installation that already has organizations.
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

/** Does the same as `footfall-server secrets rotate`: from now on `to` opens the data keys of the database. */
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
