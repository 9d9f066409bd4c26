// Wires the destinations room together.
import { Layer } from "effect"
import { Accounts } from "./accounts/accounts.ts"
import { Certification } from "./accounts/certification.ts"
import { IntegrationsHandlers } from "./accounts/handlers.ts"
import { AccountProbes } from "./accounts/probes.ts"
import { AccountsStore } from "./accounts/store.ts"
import { Approval } from "./approval.ts"
import { Destinations } from "./destinations.ts"
import { DestinationSecretsHandlers, DestinationsHandlers } from "./handlers.ts"
import { Connectors } from "./connectors/connectors.ts"
import { RequestPreviews } from "./preview.ts"
import { DestinationStore } from "./store.ts"
import { TargetStore } from "./targets/store.ts"
import { Targets } from "./targets/targets.ts"
import { TestCalls } from "./test-call.ts"

/** The stores of this room. */
export const DestinationStores = Layer.mergeAll(
  AccountsStore.layer,
  DestinationStore.layer,
  TargetStore.layer,
)

export const DestinationServices = Layer.mergeAll(
  Destinations.layer,
  RequestPreviews.layer,
  TestCalls.layer,
).pipe(
  Layer.provideMerge(Layer.mergeAll(Approval.layer, Certification.layer)),
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Targets.layer)),
  Layer.provideMerge(Layer.provideMerge(AccountProbes.layer, Connectors.layer)),
)

/** The endpoints of this room. */
export const DestinationHandlers = Layer.mergeAll(
  DestinationSecretsHandlers,
  DestinationsHandlers,
  IntegrationsHandlers,
)
