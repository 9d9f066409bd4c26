// Preview responses, and the two people who are in most of them.
import { expect } from "vitest"
import type { TestServer } from "../support/server.ts"
import { post } from "./support.ts"

export const jane = "jane.mercer@harbor-logistics.example"
export const omar = "omar@quayline.example"

interface Shown {
  readonly totalCount: number
  readonly sample: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly previewKey: string
  readonly dataDate: string
  readonly configHash: string
  readonly explanationTooSlow: boolean
  readonly explanation: {
    readonly parts: ReadonlyArray<unknown>
    readonly scores: ReadonlyArray<unknown>
  } | null
}

export const previewOf = async (
  server: Pick<TestServer, "apiKey" | "url">,
  body: object,
): Promise<Shown> => {
  const answer = await post(server, "preview", body)
  expect(answer.body.error).toBeUndefined()
  // These tests check its shape.
  return answer.body.data as unknown as Shown
}

export const hems = ({ sample }: Shown) => sample.map(({ hem }) => hem)

/** Deletes all signals, people and held-back visitors. */
export const forgetEveryone = ({ sql }: TestServer) =>
  sql(
    `truncate signal, signal_date, signal_person, signal_alias, signal_alias_map, person,
       person_address, visitor, visitor_address, suppression_rule, suppression_list, tombstone
     cascade`,
  )
