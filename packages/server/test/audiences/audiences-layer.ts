// The services that count people, on their own database.
import { Layer } from "effect"
import { Aliases } from "../../src/intent/audiences/aliases/aliases.ts"
import { AliasStore } from "../../src/intent/audiences/aliases/store.ts"
import { Countings } from "../../src/intent/audiences/counting.ts"
import { AudienceStore } from "../../src/intent/audiences/store.ts"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import { ImportsStore } from "../../src/people/imports/store.ts"
import { TombstoneStore } from "../../src/people/person/tombstones/store.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { SegmentStore } from "../../src/people/visitors/segments/store.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"
import { fixedDataKeys } from "../support/data-keys.ts"
import { testRemoteSignals } from "../support/clickhouse.ts"
import { TestDatabase } from "../support/database.ts"

export const audiencesLayer = Countings.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Aliases.layer, Tombstones.layer, RuleTurns.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      AudienceStore.layer,
      SegmentStore.layer,
      AliasStore.layer,
      Layer.provideMerge(DataVersions.layer, ImportsStore.layer),
      TombstoneStore.layer,
      fixedDataKeys,
    ),
  ),
  Layer.provideMerge(testRemoteSignals),
  Layer.provideMerge(TestDatabase.layer),
)
