// The columns of printed visitors.

import { expect, test } from "vitest"
import { jane } from "../../test/fixtures/records.ts"
import { csvRow } from "@footfall/normal-form/csv"
import { visitorColumns } from "./columns.ts"

test("CSV has every canonical field of a visitor and no legacy field", () => {
  const legacy = new Set([
    ...["allEmails", "primaryPhone", "allPhones", "phonesDNC", "company", "companyZip"],
    ...["companySize", "companyRevenue", "companyIndustry", "firstSeen", "lastSeen"],
    ...["msclkid", "liFatId", "gbraid", "wbraid"],
  ])
  const canonical = Object.keys(jane).filter((name) => !legacy.has(name))

  const columns = new Set(visitorColumns.map((column) => column.split(".")[0]))
  expect([...columns].sort()).toEqual(canonical.sort())
  expect(csvRow(["emailHashes.sha1"], jane)).toBe(`${jane.emailHashes.sha1}\r\n`)
})
