/**
 * Captures email addresses that visitors type into the site's forms (spec 6.6). It reads them when a form is submitted
 * or, with `all`, when a field outside a form changes. It never reads keystrokes.
 *
 * It skips forms with a password field, and everything with `autocomplete=off` or `data-no-capture` on itself or an
 * ancestor.
 */
import { guard, on } from "./guard.ts"
import { identify } from "./identity.ts"
import { captureMode } from "./settings.ts"
import { isPermitted } from "./visitor.ts"

const isClosed = (element: Element) => element.closest('[data-no-capture],[autocomplete="off"i]')

export const watchForms = (): void => {
  const isAll = /^(all)+$/.test(captureMode)

  /** Handles a submitted form or a changed field. A field inside a form waits for the form's submit. */
  const handleEvent = ({ target }: Event) => {
    const source = target as HTMLFormElement & HTMLInputElement
    const { elements } = source
    if (source.form || isClosed(source) || source.querySelector("[type=password]")) return
    const fields: ArrayLike<Element> = elements || [source]
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index] as HTMLInputElement
      const { autocomplete, name, type, value } = field
      const isEmail =
        type === "email" ||
        (isAll && elements && type === "text" && /email/i.test(name + autocomplete))
      if (isEmail && !isClosed(field) && isPermitted()) guard(() => identify(value, 0, "capture"))()
    }
  }

  if (/^(all|forms)+$/.test(captureMode)) on("submit", handleEvent)
  if (isAll) on("change", handleEvent)
}
