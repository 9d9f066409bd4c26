// The SDK's types are written by hand, as documentation. In this folder the compiler compares them with the server's
// wire schemas, in both directions: a field, an enum value or a null on one side only is a type error in `npm run
// check` (docs/adr/0003). The run only needs to pass. This file: `GET /v1/data`, which returns a list or one visitor.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Meta } from "../../src/platform/http/envelope.ts"
import type { VisitorList, VisitorLookUp } from "../../src/people/visitors/api.ts"
import type { Flat } from "./wire.ts"

type List = (typeof VisitorList)["Encoded"]
type LookUp = (typeof VisitorLookUp)["Encoded"]

describe("the SDK's visitors match the wire", () => {
  it("in a list, with the legacy names", () => {
    expectTypeOf<Flat<List["data"][number]>>().toEqualTypeOf<Flat<sdk.Visitor>>()
    expectTypeOf<Flat<List["meta"]>>().toEqualTypeOf<Flat<sdk.VisitorListMeta>>()
  })

  it("in a look-up, with journey, touches and sessions", () => {
    expectTypeOf<Flat<LookUp["data"]>>().toEqualTypeOf<Flat<sdk.VisitorWithJourney>>()
  })

  it("in the meta of every response", () => {
    expectTypeOf<Flat<typeof Meta.Encoded>>().toEqualTypeOf<Flat<sdk.ResponseMeta>>()
  })
})
