/**
 * E-mail addresses that visitors type into forms of the site (spec 6.6), read when a form is
 * submitted, or, with `all`, when a field outside a form has changed; never keystrokes.
 *
 * Never touches a form with a password field, nor what says `autocomplete=off` or
 * `data-no-capture`, itself or around it.
 */
import { guard, on } from "./guard.ts"
import { identify } from "./identity.ts"
import { captureMode } from "./settings.ts"
import { isPermitted } from "./visitor.ts"

const isClosed = (element: Element) => element.closest('[data-no-capture],[autocomplete="off"i]')

export const watchForms = (): void => {
  const isAll = /^(all)+$/.test(captureMode)

  /** Of a form that is submitted, or a field that has changed; a field of a form waits for its form. */
  const look = ({ target }: Event) => {
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

  if (/^(all|forms)+$/.test(captureMode)) on("submit", look)
  if (isAll) on("change", look)
}
