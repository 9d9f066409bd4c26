import { describe, expect, it } from "vitest"
import { afterProbe, type Health, outcomeOf } from "./account.ts"
import {
  CredentialsRefused,
  ListGone,
  ProviderFailed,
  ProviderRateLimited,
  ProviderUnreachable,
} from "../connectors/connector-error.ts"

const health = (status: Health["status"], refusals = 0): Health => ({ status, refusals })

describe("states of a connected account (spec 4.5)", () => {
  it("a healthy account becomes unhealthy when a probe fails", () => {
    expect(afterProbe(health("healthy"), "failed")).toEqual(health("unhealthy"))
  })

  it("a healthy account becomes unhealthy at one 401 or 403", () => {
    expect(afterProbe(health("healthy"), "refused")).toEqual(health("unhealthy", 1))
  })

  it("an unhealthy account becomes healthy at the next good probe, which resets its refusals", () => {
    expect(afterProbe(health("unhealthy", 1), "good")).toEqual(health("healthy"))
  })

  it("a second consecutive 401 or 403 disconnects it", () => {
    const once = afterProbe(health("healthy"), "refused")

    expect(afterProbe(once, "refused")).toEqual(health("disconnected", 2))
  })

  it("two refusals with another failure in between are not consecutive", () => {
    const once = afterProbe(health("healthy"), "refused")
    const between = afterProbe(once, "failed")

    expect(afterProbe(between, "refused")).toEqual(health("unhealthy", 1))
  })

  it("a disconnected account stays so while it is refused or fails, and is healthy when connected again", () => {
    const disconnected = health("disconnected", 2)

    expect(afterProbe(disconnected, "failed").status).toBe("disconnected")
    expect(afterProbe(disconnected, "refused").status).toBe("disconnected")
    expect(afterProbe(afterProbe(disconnected, "failed"), "refused").status).toBe("disconnected")
    expect(afterProbe(disconnected, "good")).toEqual(health("healthy"))
  })
})

it("only rejected credentials count as refused", () => {
  expect(outcomeOf(new CredentialsRefused({ status: 403 }))).toBe("refused")
  const others = [
    new ListGone(),
    new ProviderRateLimited({ retryAfterSeconds: 1 }),
    new ProviderUnreachable({ reason: "TimedOut" }),
    new ProviderFailed({ status: 500, isTransient: true, retryAfterSeconds: null }),
  ]
  expect(others.map(outcomeOf)).toEqual(["failed", "failed", "failed", "failed"])
})
