/**
 * Captures the email address that a visitor typed into one of the site's forms (spec 6.6). It reads fields when a form
 * is submitted or, with `all`, when a field outside a form changes. It never reads keystrokes.
 *
 * A wrong person is worse than none, so it takes an address only if the form has no other that people can see.
 */
import { on } from "./guard.ts"
import { identify } from "./identity.ts"
import { captureMode } from "./settings.ts"
import { isPermitted } from "./visitor.ts"

const isClosed = (element: Element) =>
  element.closest('[data-no-capture],[autocomplete="off"i],[aria-hidden="true"]')

/** Whether people can see a field, or could by scrolling. Hidden fields are often traps for robots. */
const isVisible = (field: HTMLElement): boolean => {
  let right = field.offsetWidth
  let bottom = field.offsetHeight
  const isReachable = field.tabIndex >= 0 && right > 1 && bottom > 1
  for (let box = field; box; box = box.offsetParent as HTMLElement) {
    right += box.offsetLeft
    bottom += box.offsetTop
  }
  return (
    isReachable &&
    right > 0 &&
    bottom > 0 &&
    // Browsers before 2024 lack this.
    (!field.checkVisibility ||
      field.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
  )
}

/** The only address so far; empty after a second one. */
const only = (known: string | undefined, address: string) =>
  known === undefined || known === address ? address : ""

export const watchForms = (): void => {
  const isAll = /^(all)+$/.test(captureMode)

  /** Handles a submitted form or a changed field. A field inside a form waits for the form's submit. */
  const handleEvent = ({ target }: Event) => {
    const source = target as HTMLFormElement & HTMLInputElement
    const { elements } = source
    if (source.form || isClosed(source) || !isPermitted()) return
    const fields: ArrayLike<Element> = elements || [source]
    let shown: string | undefined
    // Marked as the visitor's own.
    let own: string | undefined
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index] as HTMLInputElement
      const { autocomplete, name, type } = field
      let address = ("" + field.value).trim().toLowerCase()
      if (type === "password") return
      if (
        /^(email|text)/.test(type) &&
        /^[^\s@]+@\S+$/.test(address) &&
        !isClosed(field) &&
        isVisible(field)
      ) {
        const isRead =
          type === "email" ||
          (isAll && elements && type === "text" && /email/i.test(name + autocomplete))
        // Counts as an address of the form, but `identify` refuses it.
        if (!isRead) address += " x"
        shown = only(shown, address)
        if (/email|username/.test(autocomplete)) own = only(own, address)
      }
    }
    if (shown || own) identify(shown || own, 0, "capture")
  }

  if (/^(all|forms)+$/.test(captureMode)) on("submit", handleEvent)
  if (isAll) on("change", handleEvent)
}
