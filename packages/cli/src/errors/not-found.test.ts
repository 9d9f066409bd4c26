// A 404 names what was not found, and how to list such things.

import { expect, test } from "vitest"
import { notFoundOf } from "./not-found.ts"

const one = "11111111-2222-4333-8444-555555555555"
const two = "66666666-7777-4888-8999-aaaaaaaaaaaa"

test.each([
  [`runs start ${one}`, `There is no audience ${one}.`, "footfall audiences list"],
  [`runs start --no-wait ${one}`, `There is no audience ${one}.`, "footfall audiences list"],
  [
    `runs get ${one} ${two}`,
    `Not found: the audience ${one} or the run ${two}.`,
    `footfall audiences list, footfall runs list ${one}`,
  ],
  [`runs get Buyers ${two} --json`, `There is no run ${two}.`, "footfall runs list Buyers"],
  [
    `exports get Buyers latest ${two}`,
    `There is no export ${two}.`,
    "footfall exports list Buyers latest",
  ],
  [
    `deliveries sync Buyers ${two}`,
    `There is no destination ${two}.`,
    "footfall destinations list Buyers",
  ],
  [
    `deliveries get Buyers ${two}`,
    `There is no delivery ${two}.`,
    "footfall deliveries list Buyers",
  ],
  [`visitors list --pixel ${one}`, `There is no pixel ${one}.`, "footfall pixels list"],
  [`visitors query --segment=${one}`, `There is no segment ${one}.`, "footfall segments list"],
  [`--output json webhooks get ${one}`, `There is no webhook ${one}.`, "footfall webhooks list"],
  [`suppression remove ${one} -y`, `There is no rule ${one}.`, "footfall suppression list"],
])("footfall %s", (line, message, list) => {
  expect(notFoundOf(line.split(" "))).toEqual({ message, nextStep: `To list them: ${list}` })
})

test.each(["visitors get ida@kite.example", "api GET /v1/data/nothing", "runs start Buyers"])(
  "footfall %s has no id to name",
  (line) => {
    expect(notFoundOf(line.split(" "))).toBeNull()
  },
)
