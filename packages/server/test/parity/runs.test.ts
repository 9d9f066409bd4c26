// The results of a run in the SDK match the wire (docs/adr/0026). A separate file, because the answer has another form
// while the run is in progress, and because the SDK returns everything beside the people in `meta`, as for every list.
import type * as sdk from "@footfall/sdk"
import { describe, expectTypeOf, it } from "vitest"
import type { Answer, Flat } from "./wire.ts"

type Results = Answer<"runs.results">
type Completed = Exclude<Results, { readonly data: { readonly state: string } }>
type Pending = Extract<Results, { readonly data: { readonly state: string } }>
type Listed =
  ReturnType<sdk.Runs["results"]> extends sdk.PagedList<infer Row, infer Meta>
    ? { readonly row: Row; readonly meta: Meta }
    : never

describe("the SDK's run results match the wire", () => {
  it("in every person", () => {
    expectTypeOf<Flat<Completed["data"]["results"][number]>>().toEqualTypeOf<Flat<Listed["row"]>>()
    expectTypeOf<Flat<Pending["data"]["results"][number]>>().toEqualTypeOf<Flat<Listed["row"]>>()
  })

  it("in what is returned with them", () => {
    type Beside = Flat<Omit<Completed["data"], "results"> & Completed["meta"]>
    expectTypeOf<Beside>().toEqualTypeOf<Flat<Listed["meta"]>>()
    type Waiting = Flat<Omit<Pending["data"], "results" | "state"> & Pending["meta"]>
    expectTypeOf<Waiting>().toEqualTypeOf<Flat<Listed["meta"]>>()
    expectTypeOf<Pending["data"]["state"]>().toEqualTypeOf<sdk.RunStatus>()
  })

  it("in the statistics, whose values the SDK lists by their path", () => {
    type Wire = Answer<"runs.stats">["data"]["stats"]
    expectTypeOf<Flat<Wire>>().toEqualTypeOf<Flat<sdk.RunStatistics>>()
  })
})
