// A new organization for each test of saved audiences, and requests for it.
import { expect } from "vitest"
import type { Audience } from "../../../src/intent/audiences/lifecycle/audience.ts"
import { type Answer, caller, type Credentials } from "../../access/request.ts"
import type { TestOrganization, TestServer } from "../../support/server.ts"
import { putTopics } from "../support.ts"

export const path = "/v1/intent/audiences"

export type Saved = typeof Audience.Type

export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Puts topics 1 to 12, as in `topicOf`. */
export const putTwelveTopics = (server: TestServer) =>
  putTopics(
    server,
    Array.from({ length: 12 }, (_, place) => place + 1),
  )

export const topicOf = (topicId: number) => ({
  topicId,
  topicName: `Topic ${topicId}`,
  type: "b2b",
  industry: "logistics",
  category: "software",
})

export interface Keeper extends TestOrganization {
  /** Sends a request with the organization's key, unless other credentials are given. */
  ask(operation: string, body?: unknown, credentials?: Credentials): Promise<Answer>
  /** Saves an audience for topic 1, which must succeed. */
  save(more?: Readonly<Record<string, unknown>>): Promise<Saved>
  patch(audienceId: string, change: unknown): Promise<Answer>
  /** Sets columns of the organization, as the operator does. */
  set(columns: string): Promise<void>
  /** The audit log's entries about audiences, oldest first. */
  audited(): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>
  /** `data.intent` of the account. */
  intent(): Promise<unknown>
}

/** `organization`: a new one by default. */
export const keeper = async (
  server: TestServer,
  organization?: TestOrganization,
): Promise<Keeper> => {
  const own = organization ?? (await server.makeOrganization())
  const ask: Keeper["ask"] = (operation, body, credentials = { apiKey: own.apiKey }) =>
    caller(server)(operation, body, credentials)
  return {
    ...own,
    ask,
    save: async (more = {}) => {
      const body = { name: "Buyers", config: { topicIds: [1] }, ...more }
      const answer = await ask(`POST ${path}`, body)
      expect(answer.status).toBe(201)
      return answer.body.data
    },
    patch: (audienceId, change) => ask(`PATCH ${path}/${audienceId}`, change),
    set: async (columns) => {
      await server.sql(`update organization set ${columns} where id = $1`, [own.organizationId])
    },
    audited: () =>
      server.sql(
        `select actor_type, action, target_id from audit_entry
         where organization_id = $1 and action like 'audience.%' order by id`,
        [own.organizationId],
      ),
    intent: async () => {
      const { body } = await ask("GET /v1/data/account")
      return (body.data as { readonly intent: unknown }).intent
    },
  }
}
