import { Redacted } from "effect"
import { expect, it } from "vitest"
import { invitationMail } from "./invitation.ts"

const mailFor = (organizationName: string) =>
  invitationMail({
    email: "guest@harbor.example",
    role: "viewer",
    organizationName,
    baseUrl: "https://footfall.example",
    hasConsole: true,
    token: Redacted.make("inv_x"),
  })

it.each([
  ["Harbor  Tools Ltd.", "Harbor Tools Ltd."],
  ["Win https://prize.example/x now", "Win now"],
  ["Call prize.example or www.prize.example", "Call or"],
  ["Write to me@prize.example", "Write to"],
  ["Go to 10.1.2.3 today", "Go to today"],
  ["prize\u3002example", "an organization"],
  ["=?utf-8?Q?Your=20bank?= Ltd", "utf-8?Q?Your=20bank?= Ltd"],
  ["==??utf-8?q?x?=", "utf-8?q?x?="],
  ["Why?? Tools", "Why?? Tools"],
  ["Studio 2.0", "Studio 2.0"],
])("an invitation names %j as %j", (name, shown) => {
  const { subject, text } = mailFor(name)

  expect(subject).toBe(`Your invitation to ${shown}`)
  expect(text).toContain(`You have been invited to ${shown} on Footfall`)
  expect(subject).not.toContain("=?")
})
