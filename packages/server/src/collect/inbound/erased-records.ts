// The part of an erasure that deletes a person's records from the history of inbound sources (spec 5.1).
import { Effect } from "effect"
import { InboundRecordStore } from "./records-store.ts"

export const erasedRecords = Effect.map(
  InboundRecordStore,
  (store) =>
    ({
      addresses,
      organizationId,
    }: {
      readonly organizationId: string
      readonly addresses: ReadonlyArray<{ readonly emailHash: string }>
    }) =>
      store.erase(
        organizationId,
        addresses.map(({ emailHash }) => emailHash),
      ),
)
