// How an imported person is read and normalized, and why a record is rejected (spec 1.5, 2.9, 2.19, 5.14).
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { hashEmail } from "../../collect/visits/email-address.ts"
import { Rejection } from "../imports/rejection.ts"
import { emailsMax, personFields, phonesMax } from "./person-fields.ts"
import {
  combinedPersonRow,
  newPersonColumns,
  newPersonLine,
  personLine,
  personReader,
  personRow,
  submittedPlaces,
} from "./person-row.ts"

const jane = "jane@harbor.example"

const rowOf = (record: unknown) => {
  const submitted = personReader.object(record)
  return submitted instanceof Rejection ? submitted : personRow(submitted)
}

/** Returns the values of a record by path. */
const read = (record: object) => {
  const row = rowOf({ email: jane, ...record })
  if (row instanceof Rejection) return row
  return Object.fromEntries(
    personFields.flatMap(({ path }, place) => {
      const value = row.submitted.values[place]
      return value === undefined || path === "email" ? [] : [[path, value]]
    }),
  )
}

const normalized: ReadonlyArray<readonly [string, object, object]> = [
  [
    "addresses are trimmed, lower case and unique",
    { emails: [" A@B.Example", "a@b.example"] },
    { emails: ["a@b.example"] },
  ],
  [
    "phones are in E.164",
    { phones: ["+1 (415) 555-0134", "0044 20 7946 0000"] },
    { phones: ["+14155550134", "+442079460000"] },
  ],
  ["cxo is c_suite", { seniority: "CXO" }, { seniority: "c_suite" }],
  ["staff is entry", { seniority: "staff" }, { seniority: "entry" }],
  ["training is intern", { seniority: "Training" }, { seniority: "intern" }],
  [
    "vocabularies are compared without case",
    { department: "Human Resources" },
    { department: "human resources" },
  ],
  [
    "65+ is 65 and older",
    { demographics: { ageRange: "65+" } },
    { "demographics.ageRange": "65 and older" },
  ],
  [
    "male is M, female F, unknown U",
    { demographics: { gender: "female" } },
    { "demographics.gender": "F" },
  ],
  ["yes or no is y or n", { isB2b: "Y" }, { isB2b: "y" }],
  [
    "a domain loses scheme, www, port and path",
    { company: { domain: "https://www.Harbor.Example:8080/a?b" } },
    { "company.domain": "harbor.example" },
  ],
  [
    "an international domain becomes ASCII",
    { company: { domain: "bücher.example" } },
    { "company.domain": "xn--bcher-kva.example" },
  ],
  [
    "industries are lower case",
    { company: { industry: "Maritime Transportation" } },
    { "company.industry": "maritime transportation" },
  ],
  [
    "a US state becomes its code",
    { geo: { state: "California", country: "us" } },
    { "geo.state": "CA", "geo.country": "US" },
  ],
  [
    "a state without a country is a US state if the name matches one",
    { geo: { state: "new york" } },
    { "geo.state": "NY" },
  ],
  [
    "a region of another country stays",
    { geo: { state: "Washington", country: "GB" } },
    { "geo.state": "Washington", "geo.country": "GB" },
  ],
  ["an empty text is ignored", { firstName: "  ", geo: { city: "" } }, {}],
]

describe("a person", () => {
  for (const [rule, record, expected] of normalized) {
    it(`${rule}`, () => assert.deepStrictEqual(read(record), expected))
  }

  it("is identified by the hash of the email, or by the given hash", () => {
    const key = hashEmail(jane).sha256
    for (const record of [
      { email: ` ${jane.toUpperCase()}` },
      { emailHash: key.toUpperCase() },
      { email: jane, emailHash: key },
    ]) {
      const row = rowOf(record)
      assert.strictEqual(row instanceof Rejection ? row : row.key, key)
    }
  })
})

const list = (length: number, item: (index: number) => string) =>
  Array.from({ length }, (_, index) => item(index))
const email = (index: number) => `a${index}@b.example`
const phone = (index: number) => `+1415555${1000 + index}`

const refused: ReadonlyArray<readonly [string, unknown, Rejection["reason"], string | null]> = [
  ["an array", [jane], "not_an_object", null],
  ["a text", jane, "not_an_object", null],
  ["neither email nor hash", { firstName: "Jane" }, "missing_field", "email"],
  [
    "a hash of another address",
    { email: jane, emailHash: hashEmail("x@y.example").sha256 },
    "hash_mismatch",
    "emailHash",
  ],
  ["a malformed hash", { emailHash: "abc" }, "invalid_value", "emailHash"],
  ["no address", { email: "jane" }, "invalid_value", "email"],
  ["an unknown field", { email: jane, nickname: "J" }, "unknown_field", "nickname"],
  [
    "an unknown member of a group",
    { email: jane, company: { size: "1-10" } },
    "unknown_field",
    "company.size",
  ],
  ["a text instead of a group", { email: jane, company: "Harbor" }, "invalid_type", "company"],
  ["a number instead of a text", { email: jane, firstName: 7 }, "invalid_type", "firstName"],
  ["a text instead of a list", { email: jane, emails: jane }, "invalid_type", "emails"],
  [
    "a fraction",
    { email: jane, company: { employeeCount: 1.5 } },
    "invalid_type",
    "company.employeeCount",
  ],
  [
    "a negative number of employees",
    { email: jane, company: { employeeCount: -1 } },
    "out_of_range",
    "company.employeeCount",
  ],
  [
    "a word outside the vocabulary",
    { email: jane, seniority: "boss" },
    "invalid_value",
    "seniority",
  ],
  [
    "an age range outside the vocabulary",
    { email: jane, company: { revenueRange: "1M-10M" } },
    "invalid_value",
    "company.revenueRange",
  ],
  [
    "a phone without its country",
    { email: jane, phones: ["415 555 0134"] },
    "invalid_value",
    "phones",
  ],
  [
    "marks whose number differs from the number of phones",
    { email: jane, phones: [phone(0)], phonesDnc: [true, false] },
    "invalid_value",
    "phonesDnc",
  ],
  ["marks without phones", { email: jane, phonesDnc: [true] }, "invalid_value", "phonesDnc"],
  [
    "a country by name",
    { email: jane, geo: { country: "Germany" } },
    "invalid_value",
    "geo.country",
  ],
  [
    "a name of 256 characters",
    { email: jane, firstName: "ü".repeat(256) },
    "value_too_long",
    "firstName",
  ],
  [
    "too many addresses",
    { email: jane, emails: list(emailsMax + 1, email) },
    "value_too_long",
    "emails",
  ],
  [
    "too many phones",
    { email: jane, phones: list(phonesMax + 1, phone) },
    "value_too_long",
    "phones",
  ],
  [
    "a character that cannot be stored",
    { email: jane, firstName: "a\0b" },
    "invalid_value",
    "firstName",
  ],
  ["a lone surrogate", { email: jane, firstName: "a\ud800" }, "invalid_value", "firstName"],
]

describe("a record is rejected for", () => {
  for (const [what, record, reason, field] of refused) {
    it(`${what}`, () => assert.deepInclude(rowOf(record), { reason, field }))
  }

  it("nothing if every value is at its limit", () => {
    const row = rowOf({
      email: jane,
      firstName: "ü".repeat(255),
      emails: list(emailsMax, email),
      phones: list(phonesMax, phone),
      company: { employeeCount: 0 },
    })
    assert.notInstanceOf(row, Rejection)
  })
})

describe("a CSV row", () => {
  const cells = personReader.cells([
    "email",
    "emails",
    "phones",
    "phonesDnc",
    "company.employeeCount",
    "isB2b",
    "notes",
  ])

  it("separates list elements with |, has numbers and flags as text, and ignores empty cells", () => {
    const submitted = cells([
      jane,
      "a@b.example| c@d.example |",
      "+14155550134|+14155550135",
      "true|FALSE",
      "340",
      "",
      "",
    ])
    assert.notInstanceOf(submitted, Rejection)
    if (submitted instanceof Rejection) return
    const byPath = Object.fromEntries(
      personFields.map(({ path }, place) => [path, submitted.values[place]]),
    )
    assert.deepInclude(byPath, {
      email: jane,
      emails: ["a@b.example", "c@d.example"],
      phones: ["+14155550134", "+14155550135"],
      phonesDnc: [true, false],
      "company.employeeCount": 340,
      isB2b: undefined,
    })
    assert.strictEqual(submitted.cleared, 0)
  })

  const known = personFields.map(({ path }) => path).join(", ")
  const bad: ReadonlyArray<readonly [string, ReadonlyArray<string>, Rejection]> = [
    ["too few cells", [jane], new Rejection("unreadable_row")],
    [
      "a cell in an unknown column",
      [jane, "", "", "", "", "", "x"],
      new Rejection("unknown_field", "notes", `Expected one of ${known}, emailHash.`),
    ],
    [
      "a word instead of a number",
      [jane, "", "", "", "many", "", ""],
      new Rejection("invalid_type", "company.employeeCount"),
    ],
    [
      "a fraction",
      [jane, "", "", "", "3.5", "", ""],
      new Rejection("invalid_type", "company.employeeCount"),
    ],
    [
      "a word instead of a flag",
      [jane, "", "", "perhaps", "", "", ""],
      new Rejection("invalid_type", "phonesDnc"),
    ],
  ]
  for (const [what, row, rejection] of bad) {
    it(`is rejected for ${what}`, () => assert.deepStrictEqual(cells(row), rejection))
  }
})

it("the rejection of an address with an invisible character names the character", () => {
  const message = (hidden: string) => `Expected no invisible character, received ${hidden}.`
  for (const [record, field, hidden] of [
    [{ email: "ja\u200bne@harbor.example" }, "email", "U+200B (zero width space)"],
    [{ email: "ja\u0000ne@harbor.example" }, "email", "U+0000 (null)"],
    [{ email: jane, emails: ["ja\tne@harbor.example"] }, "emails", "U+0009 (tab)"],
  ] as const) {
    assert.deepStrictEqual(rowOf(record), new Rejection("invalid_value", field, message(hidden)))
  }
  assert.deepStrictEqual(rowOf({ email: "jane" }), new Rejection("invalid_value", "email"))
})

it("a valid web address has a host with an inner dot and no space", () => {
  const plain = /^https?:\/\/[^\s/?#]+\.[^\s]+$/i
  const part = fc.constantFrom(
    "a",
    ".",
    "..",
    "/",
    "?",
    "#",
    " ",
    ":",
    "in/jane",
    "HTTP://",
    "ftp://",
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const given = parts.join("").trim()
      fc.pre(given !== "")
      const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`

      const row = read({ linkedinUrl: given })

      if (plain.test(address)) assert.deepStrictEqual(row, { linkedinUrl: address })
      else assert.instanceOf(row, Rejection)
    }),
    { numRuns: 2_000 },
  )
})

it("special characters survive the text format of COPY", () => {
  const row = rowOf({ email: jane, firstName: "a\tb\\c\nd", emails: ["{x}@b.example"] })
  assert.notInstanceOf(row, Rejection)
  if (row instanceof Rejection) return
  const line = personLine(row, 3, submittedPlaces([row])).split("\t")
  assert.include(line, "a\\tb\\\\c\\nd")
  assert.include(line, '{"{x}@b.example"}')
  assert.deepStrictEqual([line[0], line[1], line[2]], ["3", hashEmail(jane).sha256, "0"])
})

it("copied rows have a column for each field that one of them submits", () => {
  const rows = [
    rowOf({ email: jane, firstName: "Jane" }),
    rowOf({ email: "joe@b.example", phones: ["+14155550134"], phonesDnc: true }),
  ].flatMap((row) => (row instanceof Rejection ? [] : [row]))

  const places = submittedPlaces(rows)
  const columns = newPersonColumns(places)
  const [first, second] = rows.map((row) =>
    newPersonLine(row, { organizationId: "o", importId: null }, places).split("\t"),
  )

  const names = ["organization_id", "import_id", "email_hash"]
  assert.deepStrictEqual(columns, [...names, "email", "first_name", "phones", "phones_dnc"])
  assert.deepStrictEqual(first!.slice(3), [jane, "Jane", "{}", "\\N"])
  assert.deepStrictEqual(second!.slice(3), ["joe@b.example", "\\N", '{"+14155550134"}', "{true}"])
})

it("the later of two rows about one person takes precedence", () => {
  const [one, two] = [
    rowOf({ email: jane, firstName: "A", lastName: null }),
    rowOf({ email: jane, firstName: null, lastName: "B" }),
  ]
  if (one instanceof Rejection || two instanceof Rejection) return assert.instanceOf(one, Rejection)
  const { submitted } = combinedPersonRow(one, two)
  const [first, last] = ["firstName", "lastName"].map((path) =>
    personFields.findIndex((field) => field.path === path),
  )
  assert.deepStrictEqual([submitted.values[first!], submitted.values[last!]], [undefined, "B"])
  assert.strictEqual(submitted.cleared, 2 ** first!)
})
