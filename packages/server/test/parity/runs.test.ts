// The results of a run in the SDK and on the wire (docs/adr/0003). Apart from the other endpoints, because
// they are answered in another form while the run is under way, and because the SDK gives what the server
// says beside the people in `meta`, as of every list.
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

describe("the results of the SDK are those of the wire", () => {
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
})
