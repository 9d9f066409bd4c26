// The SDK has a method for every endpoint of the server. The types of its resources are generated from the contract
// (docs/adr/0026); this folder compares those written by hand. A difference is a type error in `npm run check`, so the
// run only needs to pass.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { clients, OperationId } from "../../scripts/api-reference/clients.ts"
import type { Meta } from "../../src/platform/http/envelope.ts"
import type { Answer, EndpointName, Flat, Merged, Query } from "./wire.ts"

/** The method of each endpoint, from the table behind the reference. */
type Methods = {
  readonly [Name in OperationId]: MethodAt<sdk.Footfall, (typeof clients)[Name]["sdk"]>
}
type MethodAt<Of, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Of
    ? MethodAt<Of[Name], Rest>
    : never
  : Path extends keyof Of
    ? Of[Path]
    : never

describe("the SDK and the server", () => {
  it("have the same endpoints", () => {
    expectTypeOf<Exclude<EndpointName, OperationId>>().toBeNever()
    expectTypeOf<Exclude<OperationId, EndpointName>>().toBeNever()
  })

  it("have a method for every endpoint", () => {
    type Missing = {
      [Name in OperationId]: [Methods[Name]] extends [never] ? Name : never
    }[OperationId]
    expectTypeOf<Missing>().toBeNever()
  })
})

describe("the SDK's types by hand match the wire", () => {
  it("in the meta of every response, and in the meta and the position of a list", () => {
    expectTypeOf<Flat<typeof Meta.Encoded>>().toEqualTypeOf<Flat<sdk.ResponseMeta>>()
    expectTypeOf<Flat<Answer<"segments.list">["meta"]>>().toEqualTypeOf<Flat<sdk.ListMeta>>()
    expectTypeOf<Flat<Query<"segments.list">>>().toEqualTypeOf<Flat<Merged<sdk.ListPosition>>>()
  })

  it("in the parameters of lists of visitors, companies and topics, and of a look-up", () => {
    type Asked = Merged<sdk.VisitorListParams | sdk.VisitorGetParams> & { readonly fields?: string }
    expectTypeOf<Flat<Query<"visitors.list">>>().toEqualTypeOf<Flat<Asked>>()
    expectTypeOf<Flat<Query<"overview.get">>>().toEqualTypeOf<Flat<Merged<sdk.OverviewParams>>>()
    expectTypeOf<Flat<Query<"topics.list">>>().toEqualTypeOf<Flat<Merged<sdk.TopicListParams>>>()
    expectTypeOf<Flat<Query<"topics.search">>>().toEqualTypeOf<Flat<sdk.TopicSearchParams>>()
  })

  it("in the counts of topics", () => {
    expectTypeOf<Flat<Answer<"topics.facets">["data"]>>().toEqualTypeOf<Flat<sdk.TopicFacets>>()
  })
})
