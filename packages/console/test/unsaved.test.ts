// What someone typed is not lost: the console asks before it closes a form or leaves a screen with unsaved changes.
// Also, closing a dialog returns the focus to what opened it.
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { useBrowser, useSignedIn } from "./support/console.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

describe("unsaved changes", needs("chromium"), () => {
  const open = useSignedIn(useBrowser())
  const question = (page: Page) => page.getByRole("dialog", { name: "Discard what you entered?" })
  const form = (page: Page) => page.getByRole("dialog", { name: "Create an alert" })
  const openForm = async (): Promise<Page> => {
    const page = await open("overview")
    await page.getByRole("link", { name: "Alerts" }).click()
    await page.getByRole("button", { name: "Create an alert" }).first().click()
    return page
  }

  it("in a dialog stay if Escape is pressed by mistake, and go once discarded", async () => {
    const page = await openForm()
    await form(page).getByLabel("Name").fill("Half typed")
    await page.keyboard.press("Escape")
    await question(page).getByRole("button", { name: "Keep editing" }).click()
    await question(page).waitFor({ state: "detached" })
    expect(await form(page).getByLabel("Name").inputValue()).toBe("Half typed")
    await form(page).getByRole("button", { name: "Close" }).click()
    await question(page).getByRole("button", { name: "Discard" }).click()
    await form(page).waitFor({ state: "detached" })
  })

  it("in a dialog stay if Back is pressed by mistake, and go once discarded", async () => {
    const page = await openForm()
    await form(page).getByLabel("Name").fill("Half typed")
    await page.evaluate("history.back()")
    await question(page).getByRole("button", { name: "Keep editing" }).click()
    expect(await form(page).getByLabel("Name").inputValue()).toBe("Half typed")
    expect(page.url()).toContain("/webhooks")
    await page.evaluate("history.back()")
    await question(page).getByRole("button", { name: "Discard" }).click()
    await page.waitForURL(/\/overview/)
  })

  it("are asked about by the browser before it reloads the page", async () => {
    const page = await openForm()
    await form(page).getByLabel("Name").fill("Half typed")
    const asked = page.waitForEvent("dialog")
    await page.evaluate("setTimeout(() => location.reload())")
    const dialog = await asked
    expect(dialog.type()).toBe("beforeunload")
    await dialog.dismiss()
    expect(await form(page).getByLabel("Name").inputValue()).toBe("Half typed")
  })

  it("of the organization stay if another screen is opened by mistake", async () => {
    const page = await open("settings")
    const name = page.getByLabel("Name", { exact: true })
    const before = await name.inputValue()
    await name.fill("Half typed")
    await page.getByRole("link", { name: "People" }).click()
    await question(page).getByRole("button", { name: "Keep editing" }).click()
    expect(await name.inputValue()).toBe("Half typed")
    await name.fill(before)
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("table", { name: "People" }).waitFor()
  })

  it("that the server refuses are explained at the field, by line", async () => {
    const page = await open("settings")
    const networks = page.getByLabel("Networks to ignore")
    const before = await networks.inputValue()
    await networks.fill("203.0.113.0/24\n\nbogus")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Line 3: bogus is not a network.").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await networks.fill(before)
  })

  it("are not asked about if nothing was typed, and the focus returns to the button", async () => {
    const page = await open("suppression")
    const button = page.getByRole("button", { name: "Add rules" }).first()
    await button.focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Values").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})
