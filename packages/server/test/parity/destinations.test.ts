// Destinations of the SDK match the wire (docs/adr/0026). They are written by hand, because the SDK separates the kinds
// that have one shape on the wire.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Merged } from "./wire.ts"

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

  it("in requests", () => {
    expectTypeOf<Flat<Partial<Body<"destinations.create">>>>().toEqualTypeOf<
      Flat<Merged<sdk.DestinationCreateParams>>
    >()
    expectTypeOf<Flat<Body<"destinations.update">>>().toEqualTypeOf<
      Flat<sdk.DestinationUpdateParams>
    >()
  })
})
