// The audience configurations of the SDK and those of the wire (docs/adr/0003). Apart from the other
// endpoints, because one address answers with values or with counts, and because the SDK knows the
// vocabularies of an answer that is plain text to the server's contract: a normal form can be sent again.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Query } from "./wire.ts"

type Data<Name> = Answer<Name> extends { readonly data: infer Value } ? Flat<Value> : never
type Filters = Required<sdk.AudienceFilters>

describe("the audiences of the SDK are those of the wire", () => {
  it("in the values of filters, and in their counts", () => {
    expectTypeOf<Data<"audienceFilters.filters">>().toEqualTypeOf<
      Flat<sdk.AudienceFilterValues | sdk.AudienceFilterCounts>
    >()
    expectTypeOf<Flat<Query<"audienceFilters.filters">>>().toEqualTypeOf<{
      readonly include?: "counts"
    }>()
  })

  it("in what a preview is made of, and in what it tells", () => {
    expectTypeOf<Flat<Body<"audiencePreviews.preview">>>().toEqualTypeOf<
      Flat<sdk.AudiencePreviewParams>
    >()
    expectTypeOf<Data<"audiencePreviews.preview">>().toEqualTypeOf<Flat<sdk.AudiencePreview>>()
  })

  it("in what is validated, but for the topics that are derived", () => {
    expectTypeOf<Flat<Omit<Body<"audienceFilters.validate">, "topics">>>().toEqualTypeOf<
      Flat<sdk.AudienceConfigParams>
    >()
  })

  it("in a validation, whose filters have the names and kinds of those that are sent", () => {
    type Wire = Data<"audienceFilters.validate">
    type Config = Wire["normalizedConfig"]
    expectTypeOf<Omit<Wire, "normalizedConfig" | "appliedFilters">>().toEqualTypeOf<
      Flat<Omit<sdk.AudienceValidation, "normalizedConfig" | "appliedFilters">>
    >()
    expectTypeOf<Omit<Config, "filters">>().toEqualTypeOf<
      Flat<Omit<sdk.AudienceConfig, "filters">>
    >()
    expectTypeOf<keyof Config["filters"]>().toEqualTypeOf<sdk.AudienceFilter>()
    expectTypeOf<{ readonly [Name in keyof Filters]: NonNullable<Filters[Name]> }>().toExtend<
      Required<Config["filters"]>
    >()
    expectTypeOf<Wire["appliedFilters"]>().toEqualTypeOf<ReadonlyArray<string>>()
  })
})
