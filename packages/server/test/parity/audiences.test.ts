// The audience configurations of the SDK match those of the wire (docs/adr/0026). A separate file, because one endpoint
// returns values or counts, and because the SDK knows the vocabularies of answers that are plain text in the server's
// contract: a normal form can be sent again.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Body, Flat, Query } from "./wire.ts"

type Data<Name> = Answer<Name> extends { readonly data: infer Value } ? Flat<Value> : never
type Filters = Required<sdk.AudienceFilters>

type Saved<Value> = Value extends { readonly config: object } ? Omit<Value, "config"> : never
type Created = Body<"audiences.create">
type Updated = Body<"audiences.update">
type Config = NonNullable<Updated["config"]>

describe("the SDK's audiences match the wire", () => {
  it("in filter values, and in their counts", () => {
    expectTypeOf<Data<"audienceFilters.filters">>().toEqualTypeOf<
      Flat<sdk.AudienceFilterValues | sdk.AudienceFilterCounts>
    >()
    expectTypeOf<Flat<Query<"audienceFilters.filters">>>().toEqualTypeOf<{
      readonly include?: "counts"
    }>()
  })

  it("in the request and the response of a preview", () => {
    expectTypeOf<Flat<Body<"audiencePreviews.preview">>>().toEqualTypeOf<
      Flat<sdk.AudiencePreviewParams>
    >()
    expectTypeOf<Data<"audiencePreviews.preview">>().toEqualTypeOf<Flat<sdk.AudiencePreview>>()
  })

  it("in validated configurations, except the derived topics", () => {
    expectTypeOf<Flat<Omit<Body<"audienceFilters.validate">, "topics">>>().toEqualTypeOf<
      Flat<sdk.AudienceConfigParams>
    >()
  })

  it("in a validation, whose filters have the same names and types as the request's", () => {
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

  it("in a saved one, whose configuration is a normal form with its source URL and topics", () => {
    type Wire = Data<"audiences.get">
    expectTypeOf<Saved<Wire>>().toEqualTypeOf<Saved<Flat<sdk.Audience>>>()
    expectTypeOf<Omit<Wire["config"], "filters">>().toEqualTypeOf<
      Flat<Omit<sdk.SavedAudienceConfig, "filters">>
    >()
    expectTypeOf<Wire["config"]["filters"]>().toEqualTypeOf<
      Data<"audienceFilters.validate">["normalizedConfig"]["filters"]
    >()
    expectTypeOf<Data<"audiences.create">>().toEqualTypeOf<Wire>()
    expectTypeOf<Data<"audiences.update">>().toEqualTypeOf<Wire>()
    expectTypeOf<Data<"audiences.list">>().toEqualTypeOf<ReadonlyArray<Wire>>()
    expectTypeOf<Data<"audiences.delete">>().toEqualTypeOf<sdk.Deleted>()
  })

  it("in created and updated audiences, except the derived topics", () => {
    expectTypeOf<Saved<Flat<Created>>>().toEqualTypeOf<Saved<Flat<sdk.AudienceCreateParams>>>()
    expectTypeOf<Flat<Omit<Updated, "config">>>().toEqualTypeOf<
      Flat<Omit<sdk.AudienceUpdateParams, "config">>
    >()
    expectTypeOf<Flat<Omit<Config, "topics">>>().toEqualTypeOf<Flat<sdk.AudienceConfigParams>>()
    expectTypeOf<Created["config"]>().toEqualTypeOf<Config>()
  })
})
