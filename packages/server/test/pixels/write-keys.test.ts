// Write keys of a pixel (spec 15.1). test/isolation tests other organizations, test/sources what keys allow.
import { ConflictError, type Footfall, NotFoundError } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { issues, makeRequests } from "./requests.ts"

let server: TestServer
let organization: TestOrganization
let sdk: Footfall
let requests: ReturnType<typeof makeRequests>
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())
beforeEach(async () => {
  organization = await server.makeOrganization()
  requests = makeRequests(server, organization)
  sdk = requests.sdk
})

it("returns the key once and stores only its hash", async () => {
  const { key, writeKey } = await sdk.pixels.writeKeys.create(organization.pixelId, {
    name: " Checkout ",
  })

  expect(writeKey).toMatch(/^wk_[0-9A-Za-z]{43}$/)
  expect(key).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: "Checkout",
    kind: "server",
    last4: writeKey.slice(-4),
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  })
  expect(await sdk.pixels.writeKeys.list(organization.pixelId)).toEqual([key])
  expect(
    await server.sql(`select encode(digest, 'hex') as digest from write_key where id = $1`, [
      key.id,
    ]),
  ).toEqual([{ digest: createHash("sha256").update(writeKey).digest("hex") }])
})

it("revokes a key immediately, and returns 404 the second time", async () => {
  const { key } = await sdk.pixels.writeKeys.create(organization.pixelId, { name: "x" })

  await sdk.pixels.writeKeys.revoke(organization.pixelId, key.id)

  const [revoked] = await sdk.pixels.writeKeys.list(organization.pixelId)
  expect(revoked?.revokedAt).toBe(revoked?.expiresAt)
  await expect(sdk.pixels.writeKeys.revoke(organization.pixelId, key.id)).rejects.toThrow(
    NotFoundError,
  )
})

it("a second revocation can end the grace period sooner, never later", async () => {
  const { pixelId } = organization
  const { key } = await sdk.pixels.writeKeys.create(pixelId, { name: "x", kind: "browser" })
  const hoursLeft = async () => {
    const [row] = await server.sql(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours
       from write_key where id = $1`,
      [key.id],
    )
    return row?.["hours"]
  }

  await sdk.pixels.writeKeys.revoke(pixelId, key.id, { graceHours: 24 })
  expect(await hoursLeft()).toBe(24)
  await sdk.pixels.writeKeys.revoke(pixelId, key.id, { graceHours: 72 })
  expect(await hoursLeft()).toBe(24)
  await sdk.pixels.writeKeys.revoke(pixelId, key.id, { graceHours: 1 })
  expect(await hoursLeft()).toBe(1)
})

it("lists working keys before revoked ones", async () => {
  const { pixelId } = organization
  const older = await sdk.pixels.writeKeys.create(pixelId, { name: "older" })
  const newer = await sdk.pixels.writeKeys.create(pixelId, { name: "newer" })
  await sdk.pixels.writeKeys.revoke(pixelId, newer.key.id)

  const names = (await sdk.pixels.writeKeys.list(pixelId)).map(({ name }) => name)
  expect(names).toEqual(["older", "newer"])
  expect(older.key.revokedAt).toBeNull()
})

it("allows 20 working keys per pixel; revoking one makes room", async () => {
  const { pixelId } = organization
  const create = () => sdk.pixels.writeKeys.create(pixelId, { name: "x" })
  const { key } = await create()
  const rest = await Promise.allSettled(Array.from({ length: 22 }, create))

  expect(rest.filter(({ status }) => status === "fulfilled")).toHaveLength(19)
  await expect(create()).rejects.toThrow(ConflictError)
  await sdk.pixels.writeKeys.revoke(pixelId, key.id)
  await create()
})

it("names the invalid field", async () => {
  const path = `/v1/data/pixels/${organization.pixelId}/write-keys`
  const { key } = await sdk.pixels.writeKeys.create(organization.pixelId, { name: "x" })

  expect(await issues(await requests.send("POST", path, { name: "" }))).toEqual([
    "/body/name min_length",
  ])
  expect(await issues(await requests.send("POST", path, { name: "x", kind: "mobile" }))).toEqual([
    "/body/kind enum",
  ])
  const revocation = await requests.send("DELETE", `${path}/${key.id}`, { graceHours: 73 })
  expect(await issues(revocation)).toEqual(["/body/graceHours max"])
})

it("records in the audit log who created and revoked a key", async () => {
  const { key } = await sdk.pixels.writeKeys.create(organization.pixelId, { name: "x" })
  await sdk.pixels.writeKeys.revoke(organization.pixelId, key.id)

  expect(
    await server.sql(
      `select action, target_id, actor_type from audit_entry
       where organization_id = $1 and action like 'write_key.%' order by id`,
      [organization.organizationId],
    ),
  ).toEqual([
    { action: "write_key.created", target_id: key.id, actor_type: "api_key" },
    { action: "write_key.revoked", target_id: key.id, actor_type: "api_key" },
  ])
})
