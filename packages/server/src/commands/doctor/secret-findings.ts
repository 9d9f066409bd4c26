// Whether the secret of this installation opens what is stored encrypted (decisions.md 1.2, rule 5).
import { Effect, Exit } from "effect"
import { openCredentials } from "../../destinations/accounts/credentials.ts"
import { openSecret } from "../../destinations/webhook-secret.ts"
import { Secrets } from "../../http/secrets.ts"
import { openSecrets } from "../../webhooks/signing-secrets.ts"
import { failed, type Finding, ok } from "./finding.ts"
import { sealedKinds, type SealedValue, SealedValueStore } from "./store.ts"

export const sealedValues = Effect.gen(function* () {
  const secrets = yield* Secrets
  const values = yield* (yield* SealedValueStore).oldest
  const closed = yield* Effect.filter(values, (value) =>
    Effect.map(Effect.exit(opened(secrets, value)), Exit.isFailure),
  )
  return finding(values.length, closed)
})

const opened = (
  secrets: Secrets["Service"],
  { id, kind, organizationId, sealed }: SealedValue,
): Effect.Effect<unknown, unknown> => {
  switch (kind) {
    case "webhook":
      return openSecrets(
        secrets,
        { organizationId, webhookId: id },
        { secret: sealed, formerSecret: null },
      )
    case "webhook destination":
      return openSecret(secrets, { organizationId, destinationId: id }, sealed)
    case "connected account":
      return openCredentials(secrets, { organizationId, accountId: id }, sealed)
  }
}

const finding = (count: number, closed: ReadonlyArray<SealedValue>): Finding => {
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
    `The secret does not open ${closed.length} of ${count} encrypted values (${kinds.join(", ")}).`,
    "Set FOOTFALL_SECRET to the one they were encrypted with, as the second value beside a new one; " +
      "where it is lost, docs/operations/backup-and-restore.md says what to do.",
  )
}
