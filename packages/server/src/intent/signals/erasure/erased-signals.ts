// Removes an erased person from signals, including staged ones, and from the links between numbers of one person.
// Nothing about the address remains unless another organization's signals name it. Figures that counted the person
// are recomputed (spec 5.1).
import { Effect } from "effect"
import type { ErasurePart } from "../../../people/erasure/later-erasure.ts"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import { ImportsStore } from "../../../people/imports/store.ts"
import { stagedBytes, stagedEntries, withoutPeople } from "../import/staged-entries.ts"
import { RemoteSignals } from "../remote-signals-store.ts"
import { SignalErasureStore } from "./store.ts"

export const erasedSignals = Effect.gen(function* () {
  const store = yield* SignalErasureStore
  const { operatorOrganization } = yield* ImportsStore
  const versions = yield* DataVersions
  const remote = yield* RemoteSignals

  const eraseStaged = Effect.fnUntraced(function* (
    organizationId: string,
    numbers: ReadonlySet<number>,
  ) {
    for (const id of yield* store.stagedIds(organizationId)) {
      const bytes = yield* store.staged(organizationId, id)
      if (bytes === undefined) continue
      const entries = stagedEntries(bytes)
      const left = withoutPeople(entries, numbers)
      if (left.people.length === entries.people.length) continue
      yield* store.restage(organizationId, {
        id,
        signals: left.people.length,
        entries: Buffer.from(stagedBytes(left)),
      })
    }
  })

  const eraseFrom = Effect.fnUntraced(function* (
    organizationId: string,
    emailHashes: ReadonlyArray<string>,
  ) {
    yield* store.eraseAliases(organizationId, emailHashes)
    const numbers = yield* store.numbersOf(organizationId, emailHashes)
    if (numbers.length === 0) return
    yield* store.eraseSignals(organizationId, numbers)
    if (remote !== undefined) yield* remote.erase(organizationId, numbers)
    yield* eraseStaged(organizationId, new Set(numbers))
    yield* store.eraseNumbers(organizationId, numbers)
    yield* versions.raise("signals")
  })

  const part: ErasurePart = Effect.fnUntraced(function* ({ addresses, organizationId }) {
    const emailHashes = addresses.map(({ emailHash }) => emailHash)
    yield* eraseFrom(organizationId, emailHashes)
    const isOperator = (yield* operatorOrganization) === organizationId
    if (isOperator) yield* eraseFrom(sharedOrganizationId, emailHashes)
  })
  return part
})
