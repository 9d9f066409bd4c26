/**
 * Addresses from forms (spec 6.6): only from submitted forms, never while typing, and not if a password field, the
 * browser or the page says no.
 */
import { expect, test } from "vitest"
import { inBrowsers } from "../support/stage.ts"

const ADDRESS = "jane@acme.example"

export const emailCapture = inBrowsers("email capture", (stage, { once, rows }) => {
  const open = async (emailCapture: string, html: string, head = "") => {
    stage().settings = { consent: "granted", emailCapture }
    stage().serve("/", `${head}${stage().tag()}<main>${html}</main>`)
    stage().serve("/sent", "")
    await stage().open("/")
  }
  const captured = () =>
    stage()
      .collector.stored("capture")
      .map(({ email }) => email)
  /** The captured addresses once the page is gone. */
  const capturedAtTheEnd = async () => {
    if (new URL(stage().page.url()).pathname === "/sent") {
      // Submitting the form leaves the page, which sends its events in one batch.
      await stage().collector.waitFor("page", 1)
      await stage().open("/")
    }
    await stage().pathsAtTheEnd()
    return captured()
  }
  const send = '<button type="submit">Send</button>'
  const submit = (html: string) => `<form action="/sent">${html}${send}</form>`
  /** Types as a person does, submits with a click, and waits for the next page. */
  const fillAndSend = async (selector = "#field", text = ADDRESS) => {
    await stage().page.type(selector, text)
    await Promise.all([stage().page.waitForNavigation(), stage().page.click("button")])
  }

  test("forms: captures an email field of a submitted form", async () => {
    await open("forms", submit('<input type="email" name="mail" id="field">'))

    await fillAndSend("#field", "Jane@Acme.example")

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  test("forms: captures a form that a script submits", async () => {
    await open(
      "forms",
      submit('<input type="email" id="field">'),
      `<script>addEventListener("submit", (event) => { event.preventDefault(); document.title = "sent" })</script>`,
    )

    await stage().page.type("#field", ADDRESS)
    await stage().page.click("button")

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  test("forms: a form that the browser rejects as invalid is not captured", async () => {
    await open("forms", submit('<input type="email" id="field"><input required name="other">'))

    await stage().page.type("#field", ADDRESS)
    await stage().page.click("button")

    expect(await capturedAtTheEnd()).toEqual([])
  })

  test("forms and all: typing sends nothing, not even a complete address", async () => {
    await open("all", submit('<input type="email" id="field">'))

    await stage().page.type("#field", ADDRESS)

    expect(await capturedAtTheEnd()).toEqual([])
    expect(
      stage()
        .collector.attempts.map(({ body }) => body)
        .join(),
    ).not.toContain("jane")
  })

  const ignored: readonly (readonly [string, string])[] = [
    [
      "a form with a password field",
      submit('<input type="email" id="field"><input type="password">'),
    ],
    [
      "a form with autocomplete=off",
      `<form action="/sent" autocomplete="off"><input type="email" id="field">${send}</form>`,
    ],
    ["a field with autocomplete=off", submit('<input type="email" autocomplete="off" id="field">')],
    [
      "a form with data-no-capture",
      `<form action="/sent" data-no-capture><input type="email" id="field">${send}</form>`,
    ],
    ["a field with data-no-capture", submit('<input type="email" data-no-capture id="field">')],
    [
      "a form below data-no-capture",
      `<div data-no-capture>${submit('<input type="email" id="field">')}</div>`,
    ],
  ]
  const modes = ["forms", "all"] as const
  test.each(
    rows(modes.flatMap((mode) => ignored.map(([what, html]) => [mode, what, html] as const))),
  )("%s: captures nothing from %s", async (mode, _what, html) => {
    await open(mode, html)

    await fillAndSend()

    expect(await capturedAtTheEnd()).toEqual([])
    expect(
      stage()
        .collector.attempts.map(({ body }) => body)
        .join(),
    ).not.toContain("jane")
  })

  const textFields = [
    ["a text field with autocomplete=email", '<input type="text" autocomplete="email" id="field">'],
    ["a text field with email in its name", '<input name="work_email" id="field">'],
    ["a text field with Email in its name", '<input name="contactEmail" id="field">'],
  ] as const
  test.each(rows(textFields))(
    "all: %s is captured when its form is submitted",
    async (_what, field) => {
      await open("all", submit(field))

      await fillAndSend()

      expect(await capturedAtTheEnd()).toEqual([ADDRESS])
    },
  )

  test.each(rows(textFields))("forms: %s is not captured", async (_what, field) => {
    await open("forms", submit(field))

    await fillAndSend()

    expect(await capturedAtTheEnd()).toEqual([])
  })

  once(() => {
    test("all: a text field without a sign of email is not captured", async () => {
      await open("all", submit('<input name="comment" id="field">'))

      await fillAndSend()

      expect(await capturedAtTheEnd()).toEqual([])
    })
  })

  test("all: an email field outside a form is captured when it changes", async () => {
    await open("all", '<input type="email" id="field"><button>Elsewhere</button>')

    await stage().page.type("#field", ADDRESS)
    await stage().page.click("button")

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  once(() => {
    test("forms: an email field outside a form is not captured", async () => {
      await open("forms", '<input type="email" id="field"><button>Elsewhere</button>')

      await stage().page.type("#field", ADDRESS)
      await stage().page.click("button")

      expect(await capturedAtTheEnd()).toEqual([])
    })

    test.each([
      ["off by the setting", "off", ""],
      ["off by the tag, against the setting", "all", 'data-email-capture="off"'],
      ["off by the setting, against the tag", "off", 'data-email-capture="all"'],
    ])("%s: nothing", async (_by, emailCapture, attributes) => {
      stage().settings = { consent: "granted", emailCapture }
      stage().serve(
        "/",
        `${stage().tag({ attributes })}${submit('<input type="email" id="field">')}`,
      )
      stage().serve("/sent", "")
      await stage().open("/")

      await fillAndSend()

      expect(await capturedAtTheEnd()).toEqual([])
    })

    test.each([
      ["the tag alone", {}, 'data-email-capture="forms"', 1],
      [
        "forms by the tag, all by the setting: forms",
        { emailCapture: "all" },
        'data-email-capture="forms"',
        0,
      ],
    ])("%s", async (_by, settings, attributes, countOfTextField) => {
      stage().settings = { consent: "granted", ...settings }
      const field = countOfTextField
        ? '<input type="email" id="field">'
        : '<input name="email" id="field">'
      stage().serve("/", `${stage().tag({ attributes })}${submit(field)}`)
      stage().serve("/sent", "")
      await stage().open("/")

      await fillAndSend()

      expect(await capturedAtTheEnd()).toHaveLength(countOfTextField)
    })
  })

  once(() => {
    test("captures nothing under Global Privacy Control or before consent", async () => {
      await stage().before(
        "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true, configurable: true })",
      )
      await open("all", submit('<input type="email" id="field">'))
      await fillAndSend()
      expect(await capturedAtTheEnd()).toEqual([])

      await stage().before("delete Navigator.prototype.globalPrivacyControl")
      stage().settings = { consent: "required", emailCapture: "all" }
      await stage().open("/")
      await fillAndSend()
      await stage().open("/")
      await stage().run("footfall.consent('granted')")
      await stage().run("footfall.track('end')")
      await stage().leave()
      await stage().collector.waitFor("track", 2)

      expect(captured()).toEqual([])
    })
  })

  /** Fields that people can't see, with an address that a robot or the browser may have filled in. */
  const trap = '<input type="email" value="trap@quay.example">'
  const boxed = (style: string) => `<p style="${style}">${trap}</p>`
  const styled = (style: string) => trap.replace(">", ` style="${style}">`)
  const unseen: readonly (readonly [string, string])[] = [
    ["display: none", styled("display: none")],
    ["in a box with display: none", boxed("display: none")],
    ["the hidden attribute", trap.replace(">", " hidden>")],
    ["visibility: hidden", styled("visibility: hidden")],
    ["in a box with visibility: hidden", boxed("visibility: hidden")],
    ["opacity: 0", styled("opacity: 0")],
    ["in a box with opacity: 0", boxed("opacity: 0")],
    ["left of the page", styled("position: absolute; left: -9999px")],
    ["in a box left of the page", boxed("position: absolute; left: -5000px")],
    ["above the page", boxed("position: fixed; top: -999px")],
    ["no size", styled("width: 0; height: 0; padding: 0; border: 0; position: absolute")],
    ["a size of 1 pixel", styled("width: 1px; height: 1px; padding: 0; border: 0")],
    ["aria-hidden", boxed("").replace(">", ' aria-hidden="true">')],
    ["tabindex=-1", trap.replace(">", ' tabindex="-1">')],
  ]
  const noTrap = "the address of a field that people can't see is never captured"
  test.each(rows(unseen))(`${noTrap}: %s`, async (_what, html) => {
    await open("forms", submit(html + '<input type="email" id="field">'))
    await stage().page.click("button")
    await stage().page.waitForFunction("location.pathname === '/sent'")
    await stage().open("/")

    await fillAndSend()

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  const seen: readonly (readonly [string, string])[] = [
    [
      "scrolled out of a box of the page",
      `<div style="height: 80px; overflow: auto" id="scrolls">${submit('<input type="email" id="field"><p style="height: 3000px">')}</div>`,
    ],
    [
      "scrolled out of the page",
      submit('<input type="email" id="field"><p style="height: 5000px">'),
    ],
    [
      "in a dialog that scripts focus",
      `<div tabindex="-1" style="position: fixed; top: 0; left: 50%; transform: translateX(-50%)">${submit('<input type="email" id="field">')}</div>`,
    ],
    ["read-only", submit(`<input type="email" readonly value="${ADDRESS}">`)],
    [
      "outside of its form",
      `${submit("").replace("<form", '<form id="f"')}<input type="email" form="f" id="field">`,
    ],
  ]
  test.each(rows(seen))("a visible address is captured: %s", async (_what, html) => {
    await open("forms", html)
    const field = await stage().page.$("#field")

    await field?.type(ADDRESS)
    // By the keyboard: Firefox may still scroll when a pointer is aimed.
    await stage().page.focus("button")
    await Promise.all([stage().page.waitForNavigation(), stage().page.keyboard.press("Enter")])

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  test("a form with two visible addresses is captured only if one is marked as the visitor's own", async () => {
    const friend = '<input type="email" value="friend@quay.example">'
    await open("forms", submit(friend + '<input type="email" id="field">'))
    await fillAndSend()
    expect(await capturedAtTheEnd()).toEqual([])

    await open("forms", submit(friend + '<input type="email" autocomplete="email" id="field">'))
    await fillAndSend()
    await stage().collector.waitFor("capture", 1)
    expect(captured()).toEqual([ADDRESS])
  })

  test("the same address is captured once per page", async () => {
    await open("all", '<input type="email" id="field"><button>Elsewhere</button>')

    for (const text of [ADDRESS, ADDRESS]) {
      await stage().run("document.querySelector('#field').value = ''")
      await stage().page.type("#field", text)
      await stage().page.click("button")
    }

    expect(await capturedAtTheEnd()).toEqual([ADDRESS])
  })

  once(() => {
    test("text that is not an address is not captured", async () => {
      await open("all", submit('<input name="email" id="field">'))

      await fillAndSend("#field", "jane at acme")

      expect(await capturedAtTheEnd()).toEqual([])
    })
  })
})
