// The import of signals. While the stream is read, each step stages signals where no one reads them. At its end, each
// date is merged in one transaction, together with what interrupted imports of the organization staged for it. A date
// is visible as a whole or not at all. Imports of one organization run one after another (spec 2.18, 5.14).
import { Context, Deferred, Effect, Layer, Schedule } from "effect"
import { Copy } from "../../../platform/database/copy.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { copyBinary, copyDate, copyUuid } from "../../../people/imports/copy-binary.ts"
import { DataVersions } from "../../../people/imports/data-versions.ts"
import { ImportsBusy } from "../../../people/imports/import-places.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { ImportKind, ImportStep } from "../../../people/imports/import-kind.ts"
import { PeopleStore } from "../../../people/person/store.ts"
import { Tombstones } from "../../../people/person/tombstones/tombstones.ts"
import { RemoteSignals } from "../remote-signals-store.ts"
import { mergeDate } from "./date-merge.ts"
import { PersonRegister } from "./person-register.ts"
import type { SignalColumns } from "./signal-columns.ts"
import { SignalReader } from "./signal-reader.ts"
import { SignalScope } from "./signal-row.ts"
import { entriesByDate, stagedBytes } from "./staged-entries.ts"
import { SignalImportStore } from "./store.ts"

/** How often to check whether another import of the organization has ended. */
const turnInterval = "200 millis"

const nothing = { inserted: 0, updated: 0 }

/** `people` is negative for an erased person. */
const numbersOfErased = (columns: SignalColumns, people: Int32Array): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  for (let row = 0; row < columns.length; row++) {
    if (people[row]! < 0) numbers.push(columns.numbers[row]!)
  }
  return numbers
}

const target = {
  table: "signal_staged",
  columns: ["organization_id", "date", "import_id", "signals", "entries"],
}

const make = Effect.gen(function* () {
  const copy = yield* Copy
  const store = yield* SignalImportStore
  const people = yield* PeopleStore
  const tombstones = yield* Tombstones
  const versions = yield* DataVersions
  const remote = yield* RemoteSignals

  /** Only the operator's erasures remove people from shared signals. */
  const registerOf = (organizationId: string) =>
    new PersonRegister({
      hasErased:
        organizationId === sharedOrganizationId
          ? Effect.succeed(false)
          : people.hasErased(organizationId),
      lock: store.lockNumbers,
      numbersOf: (hashes) => store.numbersOf(organizationId, hashes),
      giveNumbers: (hashes) => store.giveNumbers(organizationId, hashes),
      erasedAmong: (hashes) =>
        Effect.map(
          tombstones.among(hashes.map((emailHash) => ({ organizationId, emailHash }))),
          (erased) => new Set(erased.map(({ emailHash }) => emailHash)),
        ),
    })

  /**
   * Another transaction holds the turn until the scope closes, because a pooler may take away a session but not a
   * transaction.
   */
  const takeTurn = Effect.fnUntraced(function* (organizationId: string) {
    const connection = yield* copy.connect
    const taken = yield* Deferred.make<void, DatabaseError>()
    yield* store.tryTurn(organizationId).pipe(
      Effect.repeat({ until: (isTaken) => isTaken, schedule: Schedule.spaced(turnInterval) }),
      Effect.andThen(Deferred.succeed(taken, undefined)),
      Effect.andThen(Effect.never),
      connection.transaction,
      Effect.catch((error) => Deferred.fail(taken, error)),
      Effect.forkScoped,
    )
    yield* Deferred.await(taken)
  })

  const open: ImportKind["open"] = Effect.fnUntraced(function* (options) {
    const { connection, format, origin, patienceMs } = options
    const { organizationId } = origin
    // Only an in-memory list has no id, and signals never come from one.
    const importId = origin.importId!
    // Another process may be importing for the organization.
    yield* Effect.timeoutOrElse(takeTurn(organizationId), {
      duration: patienceMs,
      orElse: () => Effect.fail(new ImportsBusy({ reason: "organization" })),
    })
    const { dates, topicIds } = yield* store.scope
    const scope = new SignalScope(topicIds, dates)
    const reader = new SignalReader(scope, format)
    const register = registerOf(organizationId)
    const staged = new Set<number>()
    let version: string | undefined

    /** Other writers, such as an erasure, may have removed numbers. */
    const catchUp = Effect.gen(function* () {
      const current = yield* versions.current("signals")
      if (version !== current) register.forget()
      version = current
    })

    let latest: SignalColumns | undefined
    const stage = (columns: SignalColumns): ImportStep => {
      let isFirstTry = true
      return Effect.gen(function* () {
        // The previous step is committed and will not be retried.
        if (latest !== undefined && latest !== columns) reader.release(latest)
        latest = columns
        yield* store.join(organizationId)
        yield* catchUp
        if (!isFirstTry) register.forget()
        isFirstTry = false
        const numbers = yield* register.peopleOf(columns)
        const entries = entriesByDate({
          length: columns.length,
          dates: columns.dates,
          topicIds: columns.topicIds,
          scores: columns.scores,
          people: numbers,
        })
        const pieces = copyBinary(entries, ([date, entry], row) => {
          row.begin(target.columns.length)
          row.bytes(copyUuid(organizationId))
          row.bytes(copyDate(scope.dates[date]!))
          row.bytes(copyUuid(importId))
          row.integer(entry.people.length)
          row.bytes(stagedBytes(entry))
        })
        yield* connection.intoBinary(target, pieces)
        for (const date of entries.keys()) staged.add(date)
        return { ...nothing, erased: numbersOfErased(columns, numbers) }
      })
    }

    const merge = (date: string): ImportStep =>
      mergeDate({
        organizationId,
        date,
        importId,
        store,
        remote,
        copy: connection.intoBinary,
      }).pipe(
        Effect.tap(({ hasChanged, inserted, updated }) =>
          hasChanged && inserted + updated === 0 ? versions.raise("signals") : Effect.void,
        ),
      )

    return {
      counts: reader.counts,
      rejectErased: (rows) => reader.rejectErased(rows),
      push: (chunk) => reader.push(chunk).map(stage),
      end: () => reader.end().map(stage),
      last: Effect.sync(() => {
        reader.close()
        register.forget()
        return [...staged]
          .map((place) => scope.dates[place]!)
          .toSorted()
          .map(merge)
      }),
    }
  })

  return {
    kind: { name: "signals", data: "signals", sharing: "byOperator", open } satisfies ImportKind,
  }
})

export class SignalImports extends Context.Service<SignalImports, Effect.Success<typeof make>>()(
  "@footfall/server/topics/SignalImports",
) {
  static readonly layer = Layer.effect(SignalImports, make)
}
