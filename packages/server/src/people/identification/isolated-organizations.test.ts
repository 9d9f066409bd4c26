// For how long an organization with failing events is handled apart from the others.
import { expect, it } from "vitest"
import { IsolatedOrganizations } from "./isolated-organizations.ts"

const minute = 60_000
const organization = "11111111-1111-4111-8111-111111111111"

it("an organization with a failing event is handled apart for ten minutes after the last failure", () => {
  const apart = new IsolatedOrganizations()
  apart.failed(organization, 2, 0)
  expect(apart.nextTrial(organization)).toBe(1)
  // The first event is good, and the second one fails again.
  apart.done(organization, true, 0)
  expect(apart.nextTrial(organization)).toBe(1)
  apart.done(organization, false, 5 * minute)
  expect(apart.nextTrial(organization)).toBeUndefined()

  apart.done(organization, true, 15 * minute - 1)
  expect(apart.organizationIds).toEqual([organization])

  apart.done(organization, true, 15 * minute)
  expect(apart.organizationIds).toEqual([])
})

it("one whose turn was taken is handled apart until it gets its turn", () => {
  const apart = new IsolatedOrganizations()
  apart.markBusy(organization)
  expect(apart.organizationIds).toEqual([organization])
  expect(apart.nextTrial(organization)).toBeUndefined()

  apart.done(organization, true, 0)
  expect(apart.organizationIds).toEqual([])
})

it("another writer's turn does not make a failure forgotten", () => {
  const apart = new IsolatedOrganizations()
  apart.failed(organization, 4, 0)

  apart.markBusy(organization)

  expect(apart.nextTrial(organization)).toBe(2)
})
