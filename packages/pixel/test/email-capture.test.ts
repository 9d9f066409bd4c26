/** Email addresses from forms (spec 6.6): which ones, when, and which never. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { openPage } from "./support/page.ts"
import type { PageOptions } from "./support/page.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SUBMIT = `document.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }))`
const change = (selector: string) =>
  `document.querySelector("${selector}").dispatchEvent(new Event("change", { bubbles: true }))`
const FIELD = `<input type="email" value=" Jane@Acme.example ">`

const capturedOf = async (html: string, code: string, options: PageOptions = {}) => {
  const page = openPage({
    settings: { emailCapture: "forms" },
    ...options,
    before: `document.body.innerHTML = ${JSON.stringify(html)}; ${options.before ?? ""}`,
  })
  page.run(code)
  await page.advance(5000)
  return page.events("capture").map(({ email }) => email)
}

test("forms: the address in a submitted form is sent normalized, without traits", async () => {
  const page = openPage({
    settings: { emailCapture: "forms" },
    before: `document.body.innerHTML = ${JSON.stringify(`<form>${FIELD}</form>`)}`,
  })

  page.run(SUBMIT)
  await page.advance(5000)

  const [event] = page.events("capture")
  expect(event).toMatchObject({ type: "capture", email: "jane@acme.example" })
  expect(event).not.toHaveProperty("traits")
})

test.each([
  [
    "a form that the page submits by itself",
    `<form>${FIELD}</form>`,
    "addEventListener('submit', (event) => { event.preventDefault(); event.stopPropagation() }, true)",
  ],
  [
    "a field that belongs to the form from outside",
    `<form id="f"></form><input form="f" type="email" value="jane@acme.example">`,
    "",
  ],
])("forms: %s", async (_what, html, before) => {
  expect(await capturedOf(html, SUBMIT, { before })).toEqual(["jane@acme.example"])
})

test.each([
  ["a form with a password field", `<form>${FIELD}<input type="password"></form>`],
  ["a form with autocomplete=off", `<form autocomplete="off">${FIELD}</form>`],
  [
    "a field with autocomplete=off",
    `<form><input type="email" autocomplete="off" value="jane@acme.example"></form>`,
  ],
  ["a form with data-no-capture", `<form data-no-capture>${FIELD}</form>`],
  [
    "a field with data-no-capture",
    `<form><input type="email" data-no-capture value="jane@acme.example"></form>`,
  ],
  ["a form inside data-no-capture", `<div data-no-capture><form>${FIELD}</form></div>`],
  [
    "a field from outside of a closed form",
    `<form id="f" data-no-capture></form><input form="f" type="email" value="jane@acme.example">`,
  ],
  ["no address", `<form><input type="email" value="jane"></form>`],
  ["an empty field", `<form><input type="email"></form>`],
])("never: %s", async (_what, html) => {
  for (const emailCapture of ["forms", "all"]) {
    expect(await capturedOf(html, SUBMIT, { settings: { emailCapture } })).toEqual([])
  }
})

const TEXT_FIELDS = [
  ["autocomplete=email", `<form><input autocomplete="email" value="jane@acme.example"></form>`],
  [
    "autocomplete=work email",
    `<form><input autocomplete="work email" value="jane@acme.example"></form>`,
  ],
  [
    "a name with email",
    `<form><input type="text" name="userEmail" value="jane@acme.example"></form>`,
  ],
] as const

test.each(TEXT_FIELDS)("all captures text fields with %s, forms does not", async (_what, html) => {
  expect(await capturedOf(html, SUBMIT)).toEqual([])
  expect(await capturedOf(html, SUBMIT, { settings: { emailCapture: "all" } })).toEqual([
    "jane@acme.example",
  ])
})

test.each([
  `<form><input type="hidden" name="email" value="jane@acme.example"></form>`,
  `<form><input type="text" name="note" value="jane@acme.example"></form>`,
  `<form><textarea name="email">jane@acme.example</textarea></form>`,
  `<form><select name="email"><option selected>jane@acme.example</option></select></form>`,
])("all never captures %s", async (html) => {
  expect(await capturedOf(html, SUBMIT, { settings: { emailCapture: "all" } })).toEqual([])
})

test("all captures a changed email field outside a form, forms does not", async () => {
  expect(await capturedOf(FIELD, change("input"))).toEqual([])
  expect(await capturedOf(FIELD, change("input"), { settings: { emailCapture: "all" } })).toEqual([
    "jane@acme.example",
  ])
})

test.each([
  ["inside a form, which is not submitted yet", `<form>${FIELD}</form>`],
  ["closed by data-no-capture", `<div data-no-capture>${FIELD}</div>`],
  ["of text", `<input type="text" name="email" value="jane@acme.example">`],
  ["of a password", `<input type="password" name="email" value="jane@acme.example">`],
])("all does not capture a changed field %s", async (_what, html) => {
  expect(await capturedOf(html, change("input"), { settings: { emailCapture: "all" } })).toEqual([])
})

const OWN = "jane@harbor.example"
const FRIEND = "ann@quay.example"
const field = (address: string, more = "") => `<input type="email" value="${address}" ${more}>`

test.each([
  ["two addresses", field(OWN) + field(FRIEND), []],
  ["three addresses", field(OWN) + field(FRIEND) + field("bo@quay.example"), []],
  ["the same address twice", field(OWN) + field(OWN.toUpperCase()), [OWN]],
  ["one address and an empty field", field("") + field(OWN), [OWN]],
  ["one address and a text without an @", field(OWN) + field("later"), [OWN]],
  ["one of two marked email", field(FRIEND) + field(OWN, 'autocomplete="email"'), [OWN]],
  ["one of two marked work email", field(OWN, 'autocomplete="work email"') + field(FRIEND), [OWN]],
  ["one of two marked username", field(OWN, 'autocomplete="username"') + field(FRIEND), [OWN]],
  [
    "both marked",
    field(OWN, 'autocomplete="email"') + field(FRIEND, 'autocomplete="username"'),
    [],
  ],
  ["a read-only address", field("help@quay.example", "readonly"), ["help@quay.example"]],
  ["a read-only address and another", field("help@quay.example", "readonly") + field(OWN), []],
  ["a field for several, with two", field(`${OWN},${FRIEND}`, "multiple"), []],
  [
    "a field for several, with two, and another",
    field(`${OWN},${FRIEND}`, "multiple") + field(OWN),
    [],
  ],
  ["an address and a closed one", field(OWN) + field(FRIEND, "data-no-capture"), [OWN]],
  [
    "an address and a closed one from before",
    field(FRIEND, 'autocomplete="off"') + field(OWN),
    [OWN],
  ],
  [
    "an address and a choice of addresses",
    `${field(OWN)}<select><option selected>${FRIEND}</option></select>`,
    [OWN],
  ],
  [
    "an address and a message that names one",
    `${field(OWN)}<textarea>Please write to ${FRIEND}.</textarea>`,
    [OWN],
  ],
  [
    "an address and a text field with another",
    `${field(FRIEND)}<input name="from" value="${OWN}">`,
    [],
  ],
  ["a text field that is not read", `<input value="${OWN}" autocomplete="email">`, []],
  [
    "one of two marked, in a field that is not read",
    `${field(FRIEND)}<input value="${OWN}" autocomplete="email">`,
    [],
  ],
])(
  "forms: of %s it captures an address only if it's the visitor's beyond doubt",
  async (_what, fields, captured) => {
    expect(await capturedOf(`<form>${fields}</form>`, SUBMIT)).toEqual(captured)
  },
)

test("all: of two addresses in read text fields it captures the one marked email", async () => {
  const text = (address: string, more: string) => `<input value="${address}" name="email" ${more}>`
  const capturedFrom = (fields: string) =>
    capturedOf(`<form>${fields}</form>`, SUBMIT, { settings: { emailCapture: "all" } })

  expect(await capturedFrom(text(FRIEND, "") + text(OWN, ""))).toEqual([])
  expect(await capturedFrom(text(FRIEND, "") + text(OWN, 'autocomplete="email"'))).toEqual([OWN])
})

test.each([
  ["aria-hidden", field(FRIEND, 'aria-hidden="true"')],
  ["inside aria-hidden", `<p aria-hidden="true">${field(FRIEND)}</p>`],
  ["not reachable by keyboard", field(FRIEND, 'tabindex="-1"')],
])("forms: a field that is %s doesn't count", async (_what, hidden) => {
  expect(await capturedOf(`<form>${hidden}</form>`, SUBMIT)).toEqual([])
  expect(await capturedOf(`<form>${hidden}${field(OWN)}</form>`, SUBMIT)).toEqual([OWN])
})

test("a form with a password field that belongs to it from outside is not captured", async () => {
  const html = `<form id="f">${field(OWN)}</form><input type="password" form="f">`

  expect(await capturedOf(html, SUBMIT)).toEqual([])
})

test("never listens to keystrokes", async () => {
  const keys = `for (const type of ["input", "keydown", "keyup", "keypress", "blur", "focusout"]) {
    document.querySelector("input").dispatchEvent(new Event(type, { bubbles: true }))
  }`

  for (const html of [FIELD, `<form>${FIELD}</form>`]) {
    expect(await capturedOf(html, keys, { settings: { emailCapture: "all" } })).toEqual([])
  }
})

test.each([
  [undefined, undefined, false],
  ["off", "forms", false],
  ["forms", "off", false],
  [undefined, "forms", true],
  ["all", "forms", true],
  [undefined, "everything", false],
])("setting %s and attribute %s: captured %s", async (setting, attribute, isCaptured) => {
  const captured = await capturedOf(`<form>${FIELD}</form>`, SUBMIT, {
    settings: setting === undefined ? {} : { emailCapture: setting },
    attributes: attribute === undefined ? {} : { "data-email-capture": attribute },
  })

  expect(captured).toHaveLength(isCaptured ? 1 : 0)
})

test("with setting all and attribute forms, the stricter one counts", async () => {
  const captured = await capturedOf(TEXT_FIELDS[0][1], SUBMIT, {
    settings: { emailCapture: "all" },
    attributes: { "data-email-capture": "forms" },
  })

  expect(captured).toEqual([])
})

test("captures nothing under Global Privacy Control, before consent, or on a filtered page", async () => {
  const html = `<form>${FIELD}</form>`
  const gpc = "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"
  const emailCapture = "forms"

  expect(await capturedOf(html, SUBMIT, { before: gpc })).toEqual([])
  expect(
    await capturedOf(html, SUBMIT + "; footfall.consent('granted')", {
      settings: { emailCapture, consent: "required" },
    }),
  ).toEqual([])
  expect(
    await capturedOf(html, SUBMIT, { settings: { emailCapture, excludedPaths: ["/$"] } }),
  ).toEqual([])
})

test("the same address is sent once", async () => {
  expect(await capturedOf(`<form>${FIELD}${FIELD}</form>`, `${SUBMIT}; ${SUBMIT}`)).toHaveLength(1)
})
