// Sends requests about the pixels of one organization, with the SDK and over the socket, and reads the responses.
import { Footfall } from "@footfall/sdk"
import { expect } from "vitest"
import type { TestOrganization, TestServer } from "../support/server.ts"

export const makeRequests = (server: TestServer, organization: TestOrganization) => {
  const send = (method: string, path: string, body?: unknown, apiKey = organization.apiKey) =>
    fetch(server.url + path, {
      method,
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    sdk: new Footfall({ baseUrl: server.url, apiKey: organization.apiKey }),
    send,
    create: (body: unknown) => send("POST", "/v1/data/pixels", body),
    patch: (body: unknown) => send("PATCH", `/v1/data/pixels/${organization.pixelId}`, body),
    /** The audit entries of the organization's pixels, oldest first. */
    entries: () =>
      server.sql(
        `select action, target_id, actor_type, actor_id, request_id
         from audit_entry where organization_id = $1 and action like 'pixel.%' order by id`,
        [organization.organizationId],
      ),
  }
}

/** Returns path and code of each issue in a 400. */
export const issues = async (response: Response): Promise<ReadonlyArray<string>> => {
  const body = (await response.json()) as {
    error: { code: string; details: { issues: ReadonlyArray<{ path: string; code: string }> } }
  }
  expect([response.status, body.error.code]).toEqual([400, "VALIDATION_ERROR"])
  return body.error.details.issues.map(({ code, path }) => `${path} ${code}`)
}

/** Settings without any value. */
export const unset = {
  consent: null,
  spa: null,
  emailCapture: null,
  cookies: null,
  cookieDomain: null,
  respectDnt: null,
  pricingPaths: null,
  demoPaths: null,
  ignoredReferrers: null,
  topicRules: [],
  keyPages: [],
}
