// The SDK's types are written by hand, as documentation. Here the compiler holds them to the server's
// wire schemas, in both directions: a field, an enum value or a null on one side only is a type
// error in `npm run check` (docs/adr/0003). The run only needs to pass.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { AccountStatus } from "../../src/account/account-status.ts"
import type { Meta } from "../../src/http/envelope.ts"
import type { Pixel, PixelSettings } from "../../src/pixels/pixel.ts"
import type { VisitorList, VisitorLookUp } from "../../src/visitors/api.ts"
import type { SuppressedFilter } from "../../src/visitors/list-scope.ts"
import type { SessionSummary, Touch } from "../../src/visitors/sessions/session-summary.ts"
import type { Timeframe } from "../../src/visitors/timeframe.ts"
import type { Visitor } from "../../src/visitors/visitor.ts"

describe("the SDK's types are the server's wire schemas", () => {
  it("visitor, with the legacy names", () => {
    expectTypeOf<Flat<typeof Visitor.Encoded>>().toEqualTypeOf<Flat<sdk.Visitor>>()
  })

  it("visitor with journey, touch and session summary", () => {
    type LookUp = (typeof VisitorLookUp)["Encoded"]
    expectTypeOf<Flat<LookUp["data"]>>().toEqualTypeOf<Flat<sdk.VisitorWithJourney>>()
    expectTypeOf<Flat<typeof Touch.Encoded>>().toEqualTypeOf<Flat<sdk.Touch>>()
    expectTypeOf<Flat<typeof SessionSummary.Encoded>>().toEqualTypeOf<Flat<sdk.SessionSummary>>()
  })

  it("the meta of a visitor list, and of every answer", () => {
    type List = (typeof VisitorList)["Encoded"]
    expectTypeOf<Flat<List["meta"]>>().toEqualTypeOf<Flat<sdk.VisitorListMeta>>()
    expectTypeOf<Flat<List["data"][number]>>().toEqualTypeOf<Flat<sdk.Visitor>>()
    expectTypeOf<Flat<typeof Meta.Encoded>>().toEqualTypeOf<Flat<sdk.ResponseMeta>>()
  })

  it("pixel and its settings", () => {
    expectTypeOf<Flat<typeof Pixel.Encoded>>().toEqualTypeOf<Flat<sdk.Pixel>>()
    expectTypeOf<Flat<typeof PixelSettings.Encoded>>().toEqualTypeOf<Flat<sdk.PixelSettings>>()
  })

  it("the account", () => {
    expectTypeOf<Flat<typeof AccountStatus.Encoded>>().toEqualTypeOf<Flat<sdk.AccountStatus>>()
  })

  it("the windows and the filter a list can be asked for", () => {
    expectTypeOf<Timeframe>().toEqualTypeOf<sdk.Timeframe>()
    expectTypeOf<SuppressedFilter>().toEqualTypeOf<sdk.SuppressedFilter>()
  })
})

/** The members, whether they were declared in one interface or inherited from several. */
type Flat<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [K in keyof T]: Flat<T[K]> }
