// `footfall inbound`: what is sent, what is printed, and when it asks.

import { afterEach, beforeEach, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { footfall } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"

const path = "/v1/data/inbound"
const id = "8d1b6f3a-52c4-4e0b-9a77-1c2d3e4f5a6b"
const pixelId = "c1c27b0a-93d5-4a79-9d52-1f4a3c1b2a10"
const url = "https://footfall.example/in/in_shownOnce"
const inbound = {
  id,
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  name: "RB2B",
  pixelId,
  preset: "rb2b",
  mapping: null,
  consent: "vouched",
  status: "active",
  last4: "Once",
  isSigned: false,
  formerUrlUntil: null,
  lastRequestAt: null,
  createdAt: "2026-03-11T09:00:00.000Z",
  updatedAt: "2026-03-11T09:00:00.000Z",
}
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  api.on(`GET ${path}`, () => ({ data: [inbound], meta: { total: 1 } }))
  api.on(`POST ${path}`, () => ({ data: { inbound, url } }))
  api.on(`POST ${path}/test`, () => ({
    data: {
      records: [{ kind: "person", fields: { email: "jane@acme.example", employeeCount: 51 } }],
      rejected: [{ index: 1, reason: "no_identity", message: "It has no address." }],
    },
  }))
  api.on(`GET ${path}/${id}`, () => ({ data: inbound }))
  api.on(`DELETE ${path}/${id}`, () => ({ data: { deleted: true } }))
  api.on(`POST ${path}/${id}/rotate`, () => ({ data: { inbound, url } }))
  api.on(`GET ${path}/${id}/history`, () => ({
    data: [
      {
        id: "0e9d8c7b-6a5f-4e3d-8c2b-1a0f9e8d7c6b",
        receivedAt: "2026-03-11T09:05:00.000Z",
        records: 2,
        outcomes: [{ outcome: "rejected", reason: "no_identity", records: 2 }],
      },
    ],
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) =>
  footfall(["inbound", ...words], {
    environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
  })

test("creates a source with its mapping, and prints the URL once", async () => {
  const mapping = { each: "$.rows[*]", fields: { email: "$.mail" } }
  const { exitCode, stdout } = await run(
    "create",
    pixelId,
    "RB2B",
    "--preset",
    "generic",
    "--mapping",
    JSON.stringify(mapping),
  )

  expect(exitCode).toBe(0)
  expect(stdout).toContain(url)
  const [sent] = api.seen(`POST ${path}`)
  expect(JSON.parse(sent!.body)).toEqual({
    name: "RB2B",
    pixelId,
    preset: "generic",
    mapping: { kind: "person", ...mapping },
  })
})

test("an invalid mapping is not sent", async () => {
  for (const mapping of ["{", "{}", '{"fields":{"email":5}}', '{"kind":"x","fields":{}}']) {
    const { exitCode } = await run("create", pixelId, "x", "--preset", "rb2b", "--mapping", mapping)
    expect(exitCode).toBe(2)
  }
  expect(api.seen(`POST ${path}`)).toEqual([])
})

test("shows what a sample would become, and why a record is rejected", async () => {
  const { stdout } = await run("test", "--preset", "rb2b", '{"a":1}')

  const { data } = JSON.parse(stdout)
  expect(data.records).toEqual([
    { kind: "person", fields: { email: "jane@acme.example", employeeCount: 51 } },
  ])
  expect(data.rejected).toEqual([
    { index: 1, reason: "no_identity", message: "It has no address." },
  ])
  const [sent] = api.seen(`POST ${path}/test`)
  expect(JSON.parse(sent!.body)).toEqual({ preset: "rb2b", sample: { a: 1 } })
})

test("asks before it replaces a URL or deletes a source", async () => {
  for (const command of ["rotate", "delete"]) {
    expect((await run(command, "RB2B")).exitCode).not.toBe(0)
    expect((await run(command, "RB2B", "--yes")).exitCode).toBe(0)
  }
  expect(api.seen(`POST ${path}/${id}/rotate`)).toHaveLength(1)
  expect(api.seen(`DELETE ${path}/${id}`)).toHaveLength(1)
})

test("lists sources, and what arrived with its outcomes", async () => {
  const dataOf = async (...words: ReadonlyArray<string>) =>
    JSON.parse((await run(...words)).stdout).data
  expect(await dataOf("list")).toEqual([inbound])
  expect(await dataOf("get", "rb2b")).toEqual(inbound)
  expect(await dataOf("history", "RB2B")).toEqual([
    expect.objectContaining({
      outcomes: [{ outcome: "rejected", reason: "no_identity", records: 2 }],
    }),
  ])
})
