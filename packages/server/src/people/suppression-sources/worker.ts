// Syncs sources when they are due (spec 5.21.5), at least once. Each kind of source has places of its own, and a party one of
// each kind, so that a slow source delays no others. A worker that loses its lease changes nothing.
import { Effect, Layer } from "effect"
import type { Claim } from "../../platform/jobs/queue.ts"
import { every } from "../../platform/jobs/every.ts"
import { work } from "../../platform/jobs/worker.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { SuppressionStore } from "../suppression/store.ts"
import { openHeaders } from "../../platform/secrets/sealed-headers.ts"
import { headersSealing } from "./headers.ts"
import { Mirror, SourceChanged } from "./mirror.ts"
import type { Wanted } from "./mirror-store.ts"
import { SourceFailed, SourceKinds, sourceServices, syncQueue, type Validators } from "./source.ts"
import { makeSourceStaging } from "./staging.ts"
import { SourceStore, type SyncRow } from "./store.ts"

/** How late a change of a list may be noticed. */
const noticeInterval = "5 seconds"

/** How late a change of a source in progress may be noticed. */
const changedInterval = "5 seconds"

/** Sources that a process syncs at the same time. A list takes no longer than its statements, a service may take hours. */
const lanes = [
  { kinds: ["list"], places: 2 },
  { kinds: ["url"], places: 6 },
  { kinds: sourceServices, places: 8 },
] as const

export const SourceWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* SourceStore
    const kinds = yield* SourceKinds
    const mirror = yield* Mirror
    const staging = yield* makeSourceStaging
    const rules = yield* SuppressionStore
    const dataKeys = yield* DataKeys

    const synced = Effect.fnUntraced(function* (claim: Claim, source: SyncRow) {
      const { kind, listId, organizationId, types } = source
      const mirrored = (wanted: Wanted, validators: Validators | null) =>
        staging.inTurn(organizationId, mirror.sync(claim, source, wanted, validators))
      if (kind === "list") {
        if (listId === null) return yield* new SourceFailed(listGone)
        return yield* mirrored({ listId, types }, null)
      }
      const content = yield* kinds[kind].read({
        ...source,
        headers: yield* openHeaders(dataKeys, headersSealing(source), source.headers),
      })
      if (content.is === "unchanged") return yield* mirrored("as before", source.validators)
      const importId = yield* staging.stage(source, content)
      yield* mirrored({ importId }, content.validators)
    }, Effect.scoped)

    /** Ends what is read for nothing. */
    const untilChanged = (source: SyncRow) =>
      store.isCurrent(source).pipe(
        Effect.orElseSucceed(() => true),
        Effect.delay(changedInterval),
        Effect.repeat({ while: (isCurrent) => isCurrent }),
        Effect.andThen(new SourceChanged()),
      )

    const perform = Effect.fnUntraced(function* (claim: Claim) {
      const source = yield* store.findSync(claim)
      if (source === undefined) return
      yield* Effect.raceFirst(synced(claim, source), untilChanged(source)).pipe(
        Effect.catchTags({
          SourceFailed: (failure) => failed(claim, failure),
          ImportRefused: ({ code = "FILE_UNREADABLE", message }) =>
            failed(claim, { code, message }),
          RuleWritesBusy: () => failed(claim, busy),
          SourceChanged: () => store.startOver(claim),
          ClaimLost: () => Effect.void,
        }),
      )
    })

    const failed = (claim: Claim, error: { readonly code: string; readonly message: string }) =>
      rules.transaction(store.fail(claim, error))

    yield* every(noticeInterval, "noticing changes of lists failed", store.noticeLists)
    for (const { kinds: ofLane, places } of lanes) {
      yield* work({
        queue: syncQueue,
        jobs: store.jobs,
        atOnce: places,
        claim: () => store.claim(1, ofLane),
        perform,
        fail: (claim) => failed(claim, unexpected),
      })
    }
  }),
)

const busy = {
  code: "SERVICE_BUSY",
  message: "Other changes of the rules were in progress. The sync is tried again soon.",
}

const unexpected = {
  code: "INTERNAL_ERROR",
  message: "The sync failed. It is tried again soon.",
}

const listGone = { code: "LIST_GONE", message: "The list was deleted." }
