// No column is guessed: over headers of real tools in seven languages, the chosen column holds what its type says, and
// no other column does.

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { normalizeRule, type RuleType, ruleTypes } from "../suppression-rule.ts"
import { type Layout, layoutOf, type LayoutQuestion } from "./layout.ts"
import { ReadingError } from "./column-kinds.ts"
import { RowReader } from "./rows.ts"

const layout = (head: string, options: Partial<LayoutQuestion> = {}): Layout =>
  layoutOf({ head, isWhole: true, name: "crm.csv", type: undefined, column: undefined, ...options })

const errorOf = (head: string, options: Partial<LayoutQuestion> = {}): ReadingError => {
  try {
    layout(head, options)
  } catch (error) {
    if (error instanceof ReadingError) return error
    throw error
  }
  throw new Error("The layout was not refused")
}

describe("a table is refused if the wrong column could be taken", () => {
  test.each([
    [
      "an unknown name beside a known one",
      "Id,Account Name,Ansprechpartner-Mail,Website\n1,Kite,ida@kite.example,kite.example",
      [
        { column: "Website", type: "company_domain" },
        { column: "Ansprechpartner-Mail", type: "email" },
      ],
    ],
    [
      "two known names",
      "E-Mail-Adresse;Vorname;Website\nida@kite.example;Ida;https://www.linkedin.com/in/ida",
      [
        { column: "E-Mail-Adresse", type: "email" },
        { column: "Website", type: "company_domain" },
      ],
    ],
    [
      "a domain that is the mail provider's",
      "Recipient,Domain\nida@post.example,post.example",
      [
        { column: "Recipient", type: "email" },
        { column: "Domain", type: "domain" },
      ],
    ],
    [
      "HubSpot's companies",
      "Record ID,Company name,Company Domain Name,Industry\n9,Kite,kite.example,RETAIL",
      [
        { column: "Company Domain Name", type: "company_domain" },
        { column: "Industry", type: "industry" },
      ],
    ],
    [
      "Crunchbase's companies",
      "Organization,Industries,Website URL\nKite,Toys,http://kite.example",
      [
        { column: "Industries", type: "industry" },
        { column: "Website URL", type: "company_domain" },
      ],
    ],
    [
      "an industry beside a name",
      "Kunde,Branche\nKite GmbH,Spielzeug",
      [{ column: "Branche", type: "industry" }],
    ],
    [
      "two columns of addresses",
      "Email,Owner\nida@kite.example,ann@ours.example",
      [
        { column: "Email", type: "email" },
        { column: "Owner", type: "email" },
      ],
    ],
  ] as const)("%s", (_what, head, choices) => {
    const error = errorOf(head)

    expect(error.missing).toContain("column")
    expect(error.choices).toMatchObject(choices)
    expect(error.choices).toHaveLength(choices.length)
  })

  test("a type does not choose between two columns that hold it", () => {
    const head = "Email,Owner,Website\nida@kite.example,ann@ours.example,kite.example"

    expect(errorOf(head, { type: "email" }).choices.map(({ column }) => column)).toEqual([
      "Email",
      "Owner",
    ])
    expect(layout(head, { type: "company_domain" })).toMatchObject({ valueColumn: 2 })
  })

  test("an unknown name is never taken, only suggested", () => {
    expect(errorOf("Kontakt,Stadt\nida@kite.example,Köln")).toMatchObject({
      missing: ["column", "type"],
      choices: [{ column: "Kontakt", type: "email" }],
    })
    expect(errorOf("1,ida@kite.example\n2,leo@kite.example")).toMatchObject({
      choices: [{ column: "2", type: "email" }],
    })
  })

  test("an empty column that sounds like addresses counts while the rest of the file is unknown", () => {
    const head = "Kite Mail,Website\n,kite.example\n"

    expect(errorOf(head, { isWhole: false }).message).toContain("more than one column fits")
    expect(layout(head)).toMatchObject({ valueColumn: 1, type: "company_domain" })
  })
})

describe("a known name wins only if its values fit it", () => {
  test.each([
    ["Address,E-Mail\n12 Main Street,ida@kite.example", 1, "email"],
    ["Address,Code\nida@kite.example,550", 0, "email"],
    ["Email,Type,Value\nida@kite.example,customer,120", 0, "email"],
    ["Site,Correo electrónico\nMadrid,ida@kite.example", 1, "email"],
  ])("%j", (head, valueColumn, type) => {
    expect(layout(head)).toMatchObject({ valueColumn, type, typeColumn: null })
  })

  test("otherwise the error says what is wrong with it", () => {
    const digest = "b".repeat(64)

    expect(errorOf("Website,Name\nnone,Kite").message).toContain(
      'the column "Website" holds no company domains',
    )
    expect(errorOf(`email,name\n${digest},Ida`).message).toContain("hashes")
    expect(errorOf("email,name\n,Ida").message).toContain('the column "email" is empty')
    expect(errorOf("Website\nida@kite.example").missing).toEqual(["type"])
  })
})

describe("with a type, a column named value never beats the column of that type", () => {
  test.each([
    ["email,ln,value\nida@kite.example,I,12", "email", 0],
    ["Industry,Value\nToys,12", "industry", 0],
    ["value,domain\n12,kite.example", "domain", 1],
    ["type,value\nx,kite.example", "domain", 1],
  ] as const)("%j with --type %s", (head, type, valueColumn) => {
    expect(layout(head, { type })).toMatchObject({ valueColumn, type })
  })

  test("and it is not read as that type if its values are of another kind", () => {
    expect(() => layout("id,value\n1,120", { type: "email" })).toThrow("no column for email")
  })
})

test.each(["sep=;", '"sep=;"', "SEP=;", "\uFEFFsep=;", "sep=;;;"])(
  "Excel's first line %j names the delimiter and is no row",
  (first) => {
    const text = `${first}\r\nName;Email\r\nA, B;ida@kite.example\r\n`
    const found = layout(text)
    const reader = new RowReader(found, "crm.csv")

    expect(found).toMatchObject({ delimiter: ";", valueColumn: 1, type: "email" })
    expect([...reader.read(text), ...reader.end()]).toEqual([
      { line: 3, type: "email", value: "ida@kite.example" },
    ])
  },
)

test.each([
  "Customers 2026\n\nName,Email\nIda,ida@kite.example",
  "Table 1,\nJune,\nName,Email,City\nIda,ida@kite.example,Oslo",
])("titles above the header are refused with the line of the header: %j", (head) => {
  const error = errorOf(head)

  expect(error.message).toContain("line 3: this line looks like the header (Name, Email")
  expect(error.nextStep).toBe("Delete what is above line 3.")
})

test("an error names a bounded number of columns", () => {
  const names = Array.from({ length: 400 }, (_none, index) => `column ${index}`)

  const { message } = errorOf(`${names.join(",")}\n${names.map(() => "x").join(",")}`)

  expect(message).toContain("column 11, and 388 more")
  expect(message.length).toBeLessThan(400)
})

describe("headers of real tools in seven languages", () => {
  const cells = {
    email: fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${name}@kite.example`),
    host: fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `https://www.${name}.example/x`),
    word: fc.constantFrom("Retail", "Kite GmbH", "São Paulo", "Open", "Ida", "n/a", "Müller & Co"),
    number: fc.constantFrom(
      "12",
      "3.5",
      "1.2M",
      "2026-11-28",
      "+49 30 1234",
      "192.0.2.7",
      "v1.4b2",
    ),
    blank: fc.constant(""),
  }
  type Kind = keyof typeof cells
  const headers: ReadonlyArray<ReadonlyArray<string>> = [
    ["Email Address", "First Name", "Last Name", "MEMBER_RATING", "OPTIN_IP", "LEID", "TAGS"],
    ["Record ID", "First Name", "Last Name", "Email", "Contact owner", "Company Domain Name"],
    ["Record ID", "Company name", "Company Domain Name", "Country/Region", "Industry"],
    ["Email", "Klaviyo ID", "First Name", "Organization", "Title", "Consent"],
    ["email", "created", "reason", "status"],
    ["address", "code", "error", "created_at"],
    ["recipient", "type", "source", "description", "non_transactional"],
    ["Email", "Phone", "Date Created", "IP Address", "* Lead Score"],
    ["Account Name", "Email (Primary Contact)", "Industry", "Address 1: City"],
    ["Person - Name", "Person - Email - Work", "Organization - Industry", "Deal - Value"],
    ["Name", "Given Name", "E-mail 1 - Type", "E-mail 1 - Value", "E-mail 2 - Value", "Website 1"],
    ["First Name", "E-mail Address", "E-mail 2 Address", "Web Page", "Business Street"],
    ["First Name", "Last Name", "URL", "Email Address", "Company", "Position"],
    ["First Name", "Email", "Email Status", "Website", "Industry", "Company Linkedin Url"],
    ["#domain", "#severity", "#reject_media", "#public_comment"],
    ["email", "fn", "ln", "value"],
    ["E-Mail-Adresse", "Vorname", "Nachname", "Firmenname", "Website", "Branche"],
    ["Datensatz-ID", "Unternehmensname", "Unternehmens-Domain-Name", "Wirtschaftszweig"],
    ["Adresse e-mail", "Prénom", "Nom", "Site web", "Secteur d'activité"],
    ["Correo electrónico", "Nombre", "Sitio web", "Sector", "Dirección"],
    ["Endereço de e-mail", "Nome", "Empresa", "Site", "Setor"],
    ["Indirizzo e-mail", "Nome", "Cognome", "Sito web", "Settore"],
    ["E-mailadres", "Voornaam", "Bedrijf", "Website", "Branche"],
    ["Id", "Account Name", "Contact Email", "Website", "Status"],
    ["Kunde", "Kontaktmail", "Netz", "Sparte"],
  ]
  const kinds = fc.constantFrom<Kind>("email", "host", "word", "number", "blank")
  const wantedKind = (type: RuleType): Kind => (type === "email" ? "email" : "host")

  const table = fc.constantFrom(...headers).chain((names) =>
    fc
      .tuple(
        fc.array(kinds, { minLength: names.length, maxLength: names.length }),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom(undefined, ...ruleTypes),
      )
      .chain(([columns, count, delimiter, type]) =>
        fc
          .array(fc.tuple(...columns.map((kind) => cells[kind])), {
            minLength: count,
            maxLength: count,
          })
          .map((rows) => ({ names, columns, delimiter, type, rows })),
      ),
  )

  test("the chosen column holds what its type says, and no other column does", () => {
    let chosen = 0
    fc.assert(
      fc.property(table, ({ names, columns, delimiter, type, rows }) => {
        const head = [names, ...rows].map((row) => row.join(delimiter)).join("\n")
        let found: Layout
        try {
          found = layout(head, { type })
        } catch (error) {
          if (error instanceof ReadingError) return
          throw error
        }
        // Rows without values, and one industry per line, if no name is known.
        if (found.delimiter === null || rows.every((row) => row.every((cell) => cell === "")))
          return
        chosen += 1
        const foundType = found.type ?? "email"
        const kind = columns[found.valueColumn]
        if (foundType === "industry") expect(["word", "number"]).toContain(kind)
        else expect(kind).toBe(wantedKind(foundType))
        if (type !== undefined) expect(foundType).toBe(type)
        const others = columns.filter((_kind, index) => index !== found.valueColumn)
        if (type === undefined) {
          expect(others).not.toContain("email")
          expect(others).not.toContain("host")
          expect(found.type).not.toBe("industry")
        } else if (type === "email") expect(others).not.toContain("email")
        for (const row of rows) {
          const value = row[found.valueColumn] ?? ""
          if (foundType === "industry") continue
          expect(normalizeRule({ type: foundType, value })).toMatchObject({ type: foundType })
        }
      }),
      { numRuns: 3_000 },
    )
    expect(chosen).toBeGreaterThan(100)
  })
})
