// The visitor webhooks of the SDK match the server's: requests, answers and events. A difference is a type error
// (docs/adr/0003). The run only needs to pass.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Merged, Query, Same } from "./wire.ts"

type Gives<Method> = Method extends (...parameters: never) => Promise<infer Data> ? Data : never
type Answered<Name> = Flat<Answer<Name>> extends { readonly data: infer Data } ? Data : never
type Is<Name, Data> = Same<Answered<Name>, Flat<Data>>

describe("visitor webhooks of the SDK and the server", () => {
  it("agree on every response", () => {
    type Webhooks = sdk.VisitorWebhooks
    expectTypeOf<Is<"webhooks.list", Gives<Webhooks["list"]>>>().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.create", Gives<Webhooks["create"]>>>().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.get", Gives<Webhooks["get"]>>>().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.update", Gives<Webhooks["update"]>>>().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.delete", Gives<Webhooks["delete"]>>>().toEqualTypeOf<true>()
    expectTypeOf<
      Is<"webhooks.rotateSecret", Gives<Webhooks["rotateSecret"]>>
    >().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.test", Gives<Webhooks["test"]>>>().toEqualTypeOf<true>()
    expectTypeOf<
      Is<
        "webhooks.deliveries",
        { readonly deliveries: ReadonlyArray<sdk.WebhookDelivery>; readonly total: number }
      >
    >().toEqualTypeOf<true>()
    expectTypeOf<Is<"webhooks.delivery", Gives<Webhooks["delivery"]>>>().toEqualTypeOf<true>()
    expectTypeOf<
      Is<"webhooks.redeliver", { readonly delivery: sdk.WebhookDelivery }>
    >().toEqualTypeOf<true>()
  })

  it("agree on every body and query", () => {
    type Sends<Name, Params> = Same<Flat<Body<Name>>, Flat<Params>>
    expectTypeOf<Sends<"webhooks.create", sdk.VisitorWebhookCreateParams>>().toEqualTypeOf<true>()
    expectTypeOf<Sends<"webhooks.update", sdk.VisitorWebhookUpdateParams>>().toEqualTypeOf<true>()
    expectTypeOf<
      Sends<"webhooks.rotateSecret", sdk.VisitorWebhookRotateParams>
    >().toEqualTypeOf<true>()
    expectTypeOf<
      Same<Flat<Query<"webhooks.deliveries">>, Flat<Merged<sdk.WebhookDeliveryListParams>>>
    >().toEqualTypeOf<true>()
  })
})
