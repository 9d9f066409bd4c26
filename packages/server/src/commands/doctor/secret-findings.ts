// Whether the secret of this installation opens its data keys, and whether those open what is stored encrypted
// (spec 1.2, rule 5). Makes no keys.
import { Effect } from "effect"
import { dataKeysOfOpened, openedKeys } from "../../secrets/data-keys.ts"
import { DataKeyStore } from "../../secrets/store.ts"
import { Secrets } from "../../secrets/secrets.ts"
import { sealedKinds, type SealedValue } from "../../server/sealed-values-store.ts"
import { triedValues } from "../../server/sealed-values.ts"
import { failed, type Finding, ok, warning } from "./finding.ts"

const keysCheck = "data keys"

export const secretFindings = Effect.gen(function* () {
  const rows = yield* (yield* DataKeyStore).all
  if (rows.length === 0) return [ok(keysCheck, "The next start makes them.")]
  const opened = yield* openedKeys(yield* Secrets, rows)
  const { closed, values } = yield* triedValues(dataKeysOfOpened(opened))
  const former = opened.filter(({ wrappedBy }) => wrappedBy > 0)
  return [wrapping(opened.length, former.length), encryption(values.length, closed)]
}).pipe(
  Effect.catchTag("SecretWrong", () =>
    Effect.succeed([
      failed(
        keysCheck,
        "The secret does not open the data keys, which everything encrypted is under.",
        "Set FOOTFALL_SECRET to the one of the last start, alone or as the second value beside a new one; " +
          "where it is lost, docs/operations/backup-and-restore.md says what to do.",
      ),
    ]),
  ),
)

const wrapping = (count: number, former: number): Finding =>
  former === 0
    ? ok(keysCheck, "The first value of the secret opens all of them.")
    : warning(
        keysCheck,
        `The second value of the secret is still needed: ${former} of ${count} data keys are wrapped by it.`,
        "Run footfall-server secrets rotate. After it the first value alone will do.",
      )

const encryption = (count: number, closed: ReadonlyArray<SealedValue>): Finding => {
  const check = "encryption"
  if (closed.length === 0) {
    return ok(check, count === 0 ? "Nothing is stored encrypted." : "What is encrypted opens.")
  }
  const kinds = sealedKinds.flatMap((each) => {
    const { length } = closed.filter(({ kind }) => kind === each)
    return length === 0 ? [] : [`${each}s: ${length}`]
  })
  return failed(
    check,
    `The data keys do not open ${closed.length} of ${count} encrypted values (${kinds.join(", ")}).`,
    "They were encrypted under a secret that is lost; docs/operations/backup-and-restore.md says what to do.",
  )
}
