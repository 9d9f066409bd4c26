// The services that count people on a database of its own.
import { Layer, Redacted } from "effect"
import { Aliases } from "../../src/audiences/aliases/aliases.ts"
import { AliasStore } from "../../src/audiences/aliases/store.ts"
import { Countings } from "../../src/audiences/counting.ts"
import { AudienceStore } from "../../src/audiences/store.ts"
import { Secrets } from "../../src/http/secrets.ts"
import { DataVersions } from "../../src/people/import/data-versions.ts"
import { DataVersionStore } from "../../src/people/import/store.ts"
import { TombstoneStore } from "../../src/people/tombstones/store.ts"
import { Tombstones } from "../../src/people/tombstones/tombstones.ts"
import { RuleTurns } from "../../src/visitors/query/rule-turns.ts"
import { TestDatabase } from "../support/database.ts"

const secrets = Secrets.layer([Redacted.make("a secret of the tests, long enough for all")])

export const audiencesLayer = Countings.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Aliases.layer, Tombstones.layer, RuleTurns.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      AudienceStore.layer,
      AliasStore.layer,
      Layer.provideMerge(DataVersions.layer, DataVersionStore.layer),
      TombstoneStore.layer,
      secrets,
    ),
  ),
  Layer.provideMerge(TestDatabase.layer),
)
