// Deliveries of the SDK match the wire (docs/adr/0003). A separate file, because the SDK unwraps a named member of
// `data`.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Merged, Query } from "./wire.ts"

type Data<Name> = Answer<Name> extends { readonly data: infer Value } ? Value : never

describe("the SDK's deliveries match the wire", () => {
  it("in responses", () => {
    type Wire = Flat<Data<"deliveries.get">["delivery"]>
    expectTypeOf<Wire>().toEqualTypeOf<Flat<sdk.Delivery>>()
    expectTypeOf<Flat<Data<"deliveries.sync">["delivery"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"deliveries.retry">["delivery"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"deliveries.cancel">["delivery"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"deliveries.retryFailure">["delivery"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"deliveries.list">>>().toEqualTypeOf<{
      readonly deliveries: ReadonlyArray<Wire>
      readonly total: number
    }>()
  })

  it("in failures", () => {
    expectTypeOf<Flat<Data<"deliveries.failures">>>().toEqualTypeOf<{
      readonly failures: ReadonlyArray<Flat<sdk.DeliveryFailure>>
      readonly total: number
    }>()
    expectTypeOf<Flat<Data<"deliveries.failure">["failure"]>>().toEqualTypeOf<
      Flat<sdk.FailedContact>
    >()
  })

  it("in requests", () => {
    expectTypeOf<Flat<Body<"deliveries.sync">>>().toEqualTypeOf<
      Flat<Omit<sdk.SyncParams, "idempotencyKey">>
    >()
    expectTypeOf<Flat<Query<"deliveries.list">>>().toEqualTypeOf<
      Flat<Merged<sdk.DeliveryListParams>>
    >()
    expectTypeOf<Flat<Query<"deliveries.failures">>>().toEqualTypeOf<
      Flat<Merged<sdk.ListPosition>>
    >()
  })
})
