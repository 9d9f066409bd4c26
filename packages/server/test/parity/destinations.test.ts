// Destinations, connected accounts and mailing lists of the SDK match the wire (docs/adr/0003). A separate file,
// because the SDK separates the kinds that have one shape on the wire, and unwraps a named member of `data`.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Merged, Query } from "./wire.ts"

type Data<Name> = Answer<Name> extends { readonly data: infer Value } ? Value : never
type Given<Method extends (...parameters: never) => unknown> = Awaited<ReturnType<Method>>

/** Both kinds, as on the wire. */
type Shown = {
  readonly [K in keyof sdk.Destination]: sdk.Destination[K]
}

describe("the SDK's destinations match the wire", () => {
  it("in responses", () => {
    type Wire = Flat<Data<"destinations.get">["destination"]>
    expectTypeOf<Wire>().toEqualTypeOf<Flat<Shown>>()
    expectTypeOf<Flat<Data<"destinations.update">["destination"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"destinations.list">>>().toEqualTypeOf<{
      readonly destinations: ReadonlyArray<Wire>
      readonly total: number
    }>()
    expectTypeOf<Given<sdk.Destinations["get"]>>().toEqualTypeOf<sdk.Destination>()
    expectTypeOf<Given<sdk.Destinations["update"]>>().toEqualTypeOf<sdk.Destination>()
    expectTypeOf<Given<sdk.Destinations["list"]>>().toEqualTypeOf<ReadonlyArray<sdk.Destination>>()
  })

  it("in a response with a secret", () => {
    type Wire = Flat<Data<"destinations.create">>
    expectTypeOf<keyof Wire>().toEqualTypeOf<keyof sdk.DestinationWithSecret>()
    expectTypeOf<Wire["webhookSecret"]>().toEqualTypeOf<
      sdk.DestinationWithSecret["webhookSecret"]
    >()
    expectTypeOf<Flat<Data<"destinationSecrets.rotate">>>().toEqualTypeOf<Wire>()
    expectTypeOf<Given<sdk.Destinations["create"]>>().toEqualTypeOf<sdk.DestinationWithSecret>()
    expectTypeOf<
      Given<sdk.Destinations["rotateSecret"]>
    >().toEqualTypeOf<sdk.DestinationWithSecret>()
  })

  it("in a deletion and a test", () => {
    expectTypeOf<Flat<Data<"destinations.delete">>>().toEqualTypeOf<
      Flat<Given<sdk.Destinations["delete"]>>
    >()
    expectTypeOf<Flat<Data<"destinations.test">>>().toEqualTypeOf<
      Flat<Given<sdk.Destinations["test"]>>
    >()
  })

  it("in requests", () => {
    expectTypeOf<Flat<Partial<Body<"destinations.create">>>>().toEqualTypeOf<
      Flat<Merged<sdk.DestinationCreateParams>>
    >()
    expectTypeOf<Flat<Body<"destinations.update">>>().toEqualTypeOf<
      Flat<sdk.DestinationUpdateParams>
    >()
    expectTypeOf<Flat<Body<"destinations.test">>>().toEqualTypeOf<Flat<sdk.DestinationTestParams>>()
    expectTypeOf<Flat<Body<"destinationSecrets.rotate">>>().toEqualTypeOf<
      Flat<sdk.SecretRotateParams>
    >()
  })
})

describe("the SDK's integrations match the wire", () => {
  it("in accounts", () => {
    type Wire = Flat<Data<"integrations.connect">["account"]>
    expectTypeOf<Wire>().toEqualTypeOf<Flat<Given<sdk.Integrations["connect"]>>>()
    expectTypeOf<Wire>().toEqualTypeOf<Flat<Given<sdk.Integrations["check"]>>>()
    expectTypeOf<Flat<Data<"integrations.check">["account"]>>().toEqualTypeOf<Wire>()
    expectTypeOf<Flat<Data<"integrations.accounts">["accounts"]>>().toEqualTypeOf<
      Flat<Given<sdk.Integrations["accounts"]>>
    >()
    expectTypeOf<Flat<Data<"integrations.disconnect">>>().toEqualTypeOf<
      Flat<Given<sdk.Integrations["disconnect"]>>
    >()
    expectTypeOf<Flat<Body<"integrations.connect">>>().toEqualTypeOf<
      Flat<sdk.AccountConnectParams>
    >()
  })

  it("in mailing lists", () => {
    expectTypeOf<Flat<Data<"integrations.lists">["lists"]>>().toEqualTypeOf<
      Flat<Given<sdk.Integrations["mailingLists"]>>
    >()
    expectTypeOf<Flat<Query<"integrations.lists">>>().toEqualTypeOf<{
      readonly connectedAccountId: string
    }>()
  })
})
