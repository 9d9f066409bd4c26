/**
 * E-mail addresses that visitors type into forms of the site (decisions.md 6.6), read when a form is
 * submitted, or, with `all`, when a field outside a form has changed; never keystrokes.
 *
 * Never touches a form with a password field, nor what says `autocomplete=off` or
 * `data-no-capture`, itself or around it.
 */
import { guard } from "./guard.ts"
import { capture } from "./identity.ts"
import { captureMode } from "./settings.ts"
import { isPermitted } from "./visitor.ts"

const NO_CAPTURE = '[data-no-capture],[autocomplete="off"i]'

const isClosed = (element: Element | null) => element && element.closest(NO_CAPTURE)

const read = (field: HTMLInputElement, isAll: boolean) => {
  const { autocomplete, form, name, type, value } = field
  if (
    (type === "email" || (isAll && type === "text" && /email/i.test(name + autocomplete))) &&
    !isClosed(field) &&
    !isClosed(form) &&
    isPermitted()
  ) {
    capture(value)
  }
}

export const watchForms = (): void => {
  const isAll = /^(all)+$/.test(captureMode)
  if (!isAll && !/^(all|forms)+$/.test(captureMode)) return
  // Heard before the page does, which may stop it.
  addEventListener(
    "submit",
    guard(({ target }: Event) => {
      const form = target as HTMLFormElement
      if (form.querySelector("[type=password]")) return
      for (let index = 0; index < form.length; index++) {
        guard(read)(form[index] as HTMLInputElement, isAll)
      }
    }),
    true,
  )
  if (isAll) {
    addEventListener(
      "change",
      guard(({ target }: Event) => {
        const field = target as HTMLInputElement
        if (field.type === "email" && !field.form) read(field, isAll)
      }),
      true,
    )
  }
}
