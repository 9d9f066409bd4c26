// Data keys for tests: fixed ones where there is no server, and those of a database that a server has started on.
import { Effect, Layer, Redacted } from "effect"
import {
  DataKeys,
  dataKeysOf,
  dataKeysOfOpened,
  openedKeys,
} from "../../src/http/data-keys/data-keys.ts"
import type { DataKeyRow } from "../../src/http/data-keys/store.ts"
import { secretKeysOf } from "../../src/http/secrets.ts"

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
