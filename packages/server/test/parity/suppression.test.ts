// The suppression rules of the SDK match those of the wire (docs/adr/0026). A separate file, because the server accepts
// any JSON as rows and reports what is wrong with each, and because the SDK's pages have in `meta` what the server
// returns in `data` beside the rules.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Query } from "./wire.ts"

type Data<Name> = Answer<Name> extends { readonly data: infer Value } ? Flat<Value> : never
type Gives<Method extends keyof sdk.Suppression> = Flat<
  Awaited<ReturnType<sdk.Suppression[Method]>>
>

describe("the SDK's suppression rules match the wire", () => {
  it("in responses to writes", () => {
    expectTypeOf<Data<"suppression.add">>().toEqualTypeOf<Gives<"add">>()
    expectTypeOf<Data<"suppression.replace">>().toEqualTypeOf<Gives<"replace">>()
    expectTypeOf<Data<"suppression.remove">>().toEqualTypeOf<Gives<"remove">>()
    expectTypeOf<Data<"suppression.removeOne">>().toEqualTypeOf<Gives<"removeOne">>()
  })

  it("in responses to reads", () => {
    expectTypeOf<Data<"suppression.preview">>().toEqualTypeOf<Gives<"preview">>()
    expectTypeOf<Flat<Answer<"suppression.industries">>>().toEqualTypeOf<Gives<"industries">>()
    expectTypeOf<Data<"suppression.ofVisitor">>().toEqualTypeOf<Gives<"ofVisitor">>()
  })

  it("in pages, whose meta has the counts", () => {
    type Wire = Flat<Answer<"suppression.list">>
    type About = Flat<Omit<Wire["data"], "rules"> & Wire["meta"]>
    expectTypeOf<Wire["data"]["rules"][number]>().toEqualTypeOf<Flat<sdk.SuppressionRule>>()
    expectTypeOf<About>().toEqualTypeOf<Flat<sdk.SuppressionListMeta>>()
  })

  it("in bodies and queries", () => {
    expectTypeOf<keyof Body<"suppression.replace">>().toEqualTypeOf<
      Exclude<keyof sdk.SuppressionReplaceParams, "confirmClearAll">
    >()
    expectTypeOf<keyof Body<"suppression.remove">>().toEqualTypeOf<
      keyof sdk.SuppressionRemoveParams
    >()
    expectTypeOf<Flat<Query<"suppression.list">>>().toEqualTypeOf<Flat<sdk.SuppressionListParams>>()
  })
})
