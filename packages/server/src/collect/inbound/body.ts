// Reads the body of a request: JSON, or a form's (spec 15.3.3).
import { isTooDeep, jsonDepthMax } from "../../platform/http/json-checks.ts"
import { isObject } from "../visits/batch.ts"
import { formObject } from "./presets.ts"

export type BodyForm = "json" | "form"

/** By the content type; undefined if it is another. A vendor that names none sends JSON. */
export const bodyForm = (contentType: string | undefined): BodyForm | undefined => {
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase()
  if (type === "" || type === "application/json" || type === "text/json") return "json"
  if (/^application\/[\w.-]{1,60}\+json$/.test(type)) return "json"
  return type === "application/x-www-form-urlencoded" ? "form" : undefined
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The value, or what was expected. */
export const readBody = (
  form: BodyForm,
  bytes: Uint8Array,
): { readonly value: unknown } | { readonly expected: string } => {
  if (form === "json" && isTooDeep(bytes)) {
    return { expected: `Expected at most ${jsonDepthMax} levels of nesting.` }
  }
  try {
    const text = decoder.decode(bytes)
    const value: unknown = form === "form" ? formObject(text) : JSON.parse(text)
    return isObject(value) || Array.isArray(value)
      ? { value }
      : { expected: "Expected a JSON object, or an array of them." }
  } catch {
    return { expected: "Expected JSON in UTF-8, or a form." }
  }
}
