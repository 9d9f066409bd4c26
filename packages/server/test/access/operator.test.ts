// What the operator sets for an organization (spec 1.1, 4.6), through the service behind the command: status, its
// effect on pixels, and limits. commands/access.test.ts tests the command.
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Audit } from "../../src/access/audit/audit.ts"
import { AuditStore } from "../../src/access/audit/store.ts"
import { MemberStore } from "../../src/access/members/store.ts"
import type { OrganizationStatus } from "../../src/access/organization.ts"
import { Organizations } from "../../src/access/organizations/organizations.ts"
import { type OperatorSettings, OrganizationStore } from "../../src/access/organizations/store.ts"
import { PixelsOfOrganizations } from "../../src/collect/pixels/organization-standing.ts"
import { PixelStore } from "../../src/collect/pixels/store.ts"
import { AccessStore } from "../../src/access/store.ts"
import { Database } from "../../src/platform/database/database.ts"
import { DatabaseConfig } from "../../src/platform/database/database-config.ts"
import { KeyedLists } from "../../src/platform/lists/keyed-lists.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const set = (organizationId: string, settings: OperatorSettings) =>
  Organizations.pipe(
    Effect.flatMap((organizations) => organizations.set(organizationId, settings)),
    Effect.result,
    Effect.provide(
      Organizations.layer.pipe(
        Layer.provide(
          Layer.mergeAll(Audit.layer, Layer.mock(KeyedLists, {}), PixelsOfOrganizations),
        ),
        Layer.provide(
          Layer.mergeAll(
            AccessStore.layer,
            AuditStore.layer,
            MemberStore.layer,
            OrganizationStore.layer,
            PixelStore.layer,
            SecureRandom.layerWebCrypto,
          ),
        ),
        Layer.provide(Database.layer),
        Layer.provide(
          Layer.sync(DatabaseConfig, () => ({
            url: Option.some(Redacted.make(server.databaseUrl)),
            dataDir: "unused",
          })),
        ),
        Layer.provide(NodeServices.layer),
      ),
    ),
    Effect.runPromise,
  )

const statuses = ["active", "trial", "suspended", "expired"] as const
const allowed: Readonly<Record<OrganizationStatus, ReadonlyArray<OrganizationStatus>>> = {
  active: ["active", "trial", "suspended", "expired"],
  trial: ["active", "trial", "suspended", "expired"],
  suspended: ["active", "suspended"],
  expired: ["active", "expired"],
}

describe.each(statuses)("an organization that is %s", (from) => {
  it.each(statuses)(`becomes %s, or the status is rejected (spec 4.6)`, async (to) => {
    const { organizationId } = await server.makeOrganization(from)

    const result = await set(organizationId, { status: to })

    const isAllowed = allowed[from].includes(to)
    expect(result).toMatchObject(
      isAllowed
        ? { _tag: "Success", success: { status: to } }
        : { _tag: "Failure", failure: { _tag: "StatusUnreachable", from, to } },
    )
    expect(
      await server.sql("select status from organization where id = $1", [organizationId]),
    ).toEqual([{ status: isAllowed ? to : from }])
  })
})

describe("the pixels of an organization", () => {
  const makePixels = async () => {
    const { organizationId } = await server.makeOrganization()
    await server.sql(
      `insert into pixel (organization_id, id, domain, name, status, paused_reason)
       values ($1, gen_random_uuid(), 'paused.example', 'p', 'paused', 'manual')`,
      [organizationId],
    )
    await server.sql(
      `insert into pixel (organization_id, id, domain, name, deleted_at)
       values ($1, gen_random_uuid(), 'deleted.example', 'p', now())`,
      [organizationId],
    )
    return organizationId
  }
  const pixelsOf = (organizationId: string) =>
    server.sql(
      "select domain, status, paused_reason as reason from pixel where organization_id = $1 order by domain",
      [organizationId],
    )
  const before = [
    { domain: "deleted.example", status: "active", reason: null },
    { domain: "paused.example", status: "paused", reason: "manual" },
    { domain: "tidewater.example", status: "active", reason: null },
  ]
  const during = before.with(2, {
    domain: "tidewater.example",
    status: "paused",
    reason: "organization_inactive",
  })

  it.each(["suspended", "expired"] as const)(
    "are paused when it becomes %s, and active again with it; pixels paused by hand stay paused",
    async (status) => {
      const organizationId = await makePixels()

      await set(organizationId, { status })
      expect(await pixelsOf(organizationId)).toEqual(during)

      await set(organizationId, { status: "active" })
      expect(await pixelsOf(organizationId)).toEqual(before)
    },
  )

  it("are not changed by another organization's status", async () => {
    const [one, other] = [await makePixels(), await makePixels()]

    await set(one, { status: "suspended" })

    expect(await pixelsOf(other)).toEqual(before)
  })

  it("are not changed if the status does not change", async () => {
    const organizationId = await makePixels()

    await set(organizationId, { creditLimit: 1 })

    expect(await pixelsOf(organizationId)).toEqual(before)
  })
})

it("limits are set one by one; omitted ones stay", async () => {
  const { organizationId } = await server.makeOrganization()
  const steps = [
    [{ creditLimit: 0 }, { creditLimit: 0 }],
    [{ intentSlots: 5 }, { creditLimit: 0, intentSlots: 5 }],
    [{ isIntentEnabled: false }, { intentEnabled: false }],
    [{ isOneShotEligible: true }, { intentEnabled: false, oneShotEligible: true }],
    [{ creditLimit: null }, { creditLimit: null, intentSlots: 5 }],
    [{ intentSlots: null }, { intentSlots: null }],
    [{ isIntentEnabled: true, isOneShotEligible: false }, { intentEnabled: true }],
  ] as const
  for (const [settings, expected] of steps) {
    expect(await set(organizationId, settings)).toMatchObject({ success: expected })
  }
})

it("the audit log records the operator", async () => {
  const { organizationId } = await server.makeOrganization()

  await set(organizationId, { creditLimit: 3 })

  expect(
    await server.sql(
      "select actor_type, actor_id, action, request_id from audit_entry where organization_id = $1",
      [organizationId],
    ),
  ).toEqual([
    { actor_type: "operator", actor_id: null, action: "organization.updated", request_id: null },
  ])
})

it.each([randomUUID(), "no-uuid"])("no organization is found with id %s", async (id) => {
  expect(await set(id, { status: "active" })).toMatchObject({
    failure: { _tag: "OrganizationNotFound", organizationId: id },
  })
})
