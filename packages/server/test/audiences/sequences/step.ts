// One step of a sequence, applied to the reference and to the server. Their responses must agree.
import { expect } from "vitest"
import type { TestServer } from "../../support/server.ts"
import type { Keeper } from "../lifecycle/support.ts"
import type { ModelAudience, Outcome, Reference } from "./reference.ts"

export interface Real {
  readonly server: TestServer
  readonly ours: Keeper
  /** The steps of all sequences, to check that none is missing by chance. */
  readonly seen: Map<string, number>
}

/** One step. Numbers choose among the audiences or runs that exist at that point. */
export class Step {
  readonly run: (reference: Reference, real: Real) => Promise<void>
  readonly #words: string

  constructor(words: string, run: Step["run"]) {
    this.#words = words
    this.run = run
  }

  toString = () => this.#words
}

export const count = ({ seen }: Real, what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

/** Sends a request and compares the response with the expectation. Returns the data of a success. */
export const expectOutcome = async <Data>(
  real: Real,
  [operation, body, headers]: readonly [string, unknown?, Readonly<Record<string, string>>?],
  { code, details, status }: Outcome,
): Promise<Data> => {
  const credentials = { apiKey: real.ours.apiKey, ...(headers && { headers }) }
  const answer = await real.ours.ask(operation, body, credentials)
  expect({ operation, status: answer.status, code: answer.body.error?.code }).toEqual({
    operation,
    status,
    code,
  })
  if (details !== undefined) expect(answer.body.error.details).toEqual(details)
  count(real, `${operation.split(" ")[0]} ${status} ${code ?? ""}`.trim())
  return answer.body.data
}

export const of = <One>(all: ReadonlyArray<One>, place: number): One | undefined =>
  all.at(place < 0 ? place : place % all.length)

/** A step for any audience ever saved, even a deleted one. */
export const about = (
  words: string,
  place: number,
  step: (reference: Reference, real: Real, audience: ModelAudience) => Promise<unknown>,
) =>
  new Step(`${words} ${place}`, async (reference, real) => {
    const audience = of(reference.audiences, place)
    if (audience !== undefined) await step(reference, real, audience)
  })
