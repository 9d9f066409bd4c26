import { describe, expect, it } from "vitest"
import type { FirstDay } from "../server/first-day-store.ts"
import { type Ready, readyText } from "./ready-text.ts"

const demo = {
  organizationId: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  apiKey: "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO",
  pixelId: "cdd19037-47fb-4e21-a054-2da787925aea",
  owner: { email: "owner@footfall.example", password: "a password" },
}
const done: FirstDay = {
  hasOrganization: true,
  hasPixel: true,
  hasEvents: true,
  hasPeople: true,
  hasCompanies: true,
  hasTopics: true,
  hasTopicRules: true,
  hasSignals: true,
}
const ready: Ready = {
  url: "http://127.0.0.1:4100",
  address: "http://127.0.0.1:4100",
  pixelBaseUrl: "http://localhost:4100",
  database: "embedded",
  dataDir: "./.footfall",
  demo,
  hasConsole: true,
  profile: { name: "demo", current: "demo" },
  firstDay: done,
  hasCompanyFile: false,
  hasColor: false,
}

describe("the ready text of the demo", () => {
  it("has the URL, the key, the pixel tag, the page and three commands to try", () => {
    const text = readyText(ready)

    expect(text).toContain("http://127.0.0.1:4100/demo")
    expect(text).toContain("http://127.0.0.1:4100/console")
    expect(readyText({ ...ready, hasConsole: false })).not.toContain("/console")
    expect(text).toContain(demo.apiKey)
    expect(text).toContain(
      `<script async src="http://localhost:4100/p/${demo.pixelId}.js"></script>`,
    )
    expect(text).toContain("owner@footfall.example")
    expect(text).toContain("npx @footfall/cli visitors list")
    expect(text).toContain("npx @footfall/cli pixels list")
    expect(text).toContain(`curl -H "X-API-Key: ${demo.apiKey}" "http://127.0.0.1:4100/v1/data`)
  })

  it("includes the profile in the commands if another one is current, and says how to switch", () => {
    const text = readyText({ ...ready, profile: { name: "demo-4200", current: "demo" } })

    expect(text).toContain("npx @footfall/cli --profile demo-4200 visitors")
    expect(text).toContain("Commands use the profile demo by default.")
    expect(text).toContain("npx @footfall/cli profiles use demo-4200")
    expect(readyText(ready)).not.toContain("profile")
    expect(readyText({ ...ready, profile: undefined })).not.toContain("profile")
  })
})

describe("the ready text", () => {
  const plain: Ready = { ...ready, demo: undefined, profile: undefined, database: "postgres" }

  it("without a demo says how to create the first organization", () => {
    const first = "npx @footfall/server init"

    expect(readyText({ ...plain, firstDay: { ...done, hasOrganization: false } })).toContain(first)
    expect(readyText(plain)).not.toContain(first)
    expect(readyText(plain)).toContain("http://127.0.0.1:4100/docs")
  })

  it("without a demo shows no key, no demo page and no double blank line", () => {
    const text = readyText({ ...plain, firstDay: { ...done, hasOrganization: false } })

    expect(text).toContain("npx @footfall/server init --organization NAME --email ADDRESS")
    expect(text).not.toContain("sk_")
    expect(text).not.toContain("/demo")
    expect(text + readyText(plain)).not.toContain("\n\n\n")
  })

  it.each([
    ["hasPixel", "npx @footfall/cli pixels create DOMAIN"],
    ["hasEvents", "npx @footfall/cli pixels verify DOMAIN"],
    ["hasPeople", "npx @footfall/server import links FILE"],
    ["hasCompanies", "IP_COMPANY_FILE=networks.csv npx @footfall/server start"],
    ["hasTopics", "npx @footfall/server starter-topics"],
    ["hasSignals", "npx @footfall/cli visitors list"],
  ] as const)("without a demo shows the command for the remaining step: %s", (step, command) => {
    expect(readyText({ ...plain, firstDay: { ...done, [step]: false } })).toContain(command)
    expect(readyText(plain)).not.toContain(command)
  })

  it("with only workers says that they are running, and where their health and metrics are", () => {
    const text = readyText({ ...ready, url: undefined, demo: undefined })

    expect(text).toContain("workers are running")
    expect(text).toContain("http://127.0.0.1:4100/readyz")
    expect(text).toContain("http://127.0.0.1:4100/metrics")
  })

  it("behind a proxy shows the public URL and the address that it listens on", () => {
    const text = readyText({ ...plain, url: "https://footfall.tidewater.example" })

    expect(text).toMatch(/Server +https:\/\/footfall\.tidewater\.example\n/)
    expect(text).toMatch(/Listening +http:\/\/127\.0\.0\.1:4100\n/)
    expect(readyText(plain)).not.toContain("Listening")
  })

  it("has no color codes unless requested", () => {
    expect(readyText(ready)).not.toContain("\u001b[")
    expect(readyText({ ...ready, hasColor: true })).toContain("\u001b[")
  })
})
