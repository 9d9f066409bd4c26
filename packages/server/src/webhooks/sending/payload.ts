// The body of a visitor webhook: the envelope, and the canonical fields of the visitor beside it
// (service.md, Events 3; decisions.md 8.5). One shape only, and always below 20 KB: what does not fit
// is left out of the lists, first of the pages.
import type { Trigger } from "../webhook.ts"
import type { CanonicalVisitor } from "../../visitors/visitor.ts"

/** decisions.md 8.5. */
export const visitedPagesMax = 20
/** decisions.md 8.1. Units: bytes. */
export const payloadBytesMax = 20_000

export interface Envelope {
  /** `webhook-id`. */
  readonly id: string
  readonly event: "visitor.identified" | "visitor.updated" | "webhook.test"
  /** Of the event, the same on every attempt. */
  readonly timestamp: string
  readonly trigger: Trigger
  readonly organizationId: string
  readonly segment: { readonly id: string; readonly name: string } | null
  /** The one that saw the event. */
  readonly pixel: { readonly id: string; readonly domain: string }
  readonly test?: true
}

/** One line of JSON. */
export const payloadOf = (envelope: Envelope, visitor: CanonicalVisitor): string => {
  const told = { ...visitor, visitedPages: visitor.visitedPages.slice(0, visitedPagesMax) }
  return (
    shortened((share) =>
      JSON.stringify({ ...envelope, ...told, visitedPages: first(told.visitedPages, share) }),
    ) ?? withoutPages(envelope, told)
  )
}

/** Nobody has so many of these but who tells them to us on purpose. */
const withoutPages = (envelope: Envelope, visitor: CanonicalVisitor): string => {
  const { businessEmails, customAttribution, emails, personalEmails, phones } = visitor
  const withShare = (share: number) =>
    JSON.stringify({
      ...envelope,
      ...visitor,
      emails: first(emails, share),
      businessEmails: first(businessEmails, share),
      personalEmails: first(personalEmails, share),
      phones: first(phones, share),
      customAttribution: Object.fromEntries(first(Object.entries(customAttribution), share)),
      visitedPages: [],
    })
  return shortened(withShare) ?? withShare(0)
}

/** The longest of them that fits; undefined when none does. */
const shortened = (withShare: (share: number) => string): string | undefined => {
  for (let parts = shareParts; parts >= 0; parts--) {
    const text = withShare(parts / shareParts)
    if (Buffer.byteLength(text) < payloadBytesMax) return text
  }
  return undefined
}

/** As fine as a list of pages may be cut. */
const shareParts = visitedPagesMax

const first = <Item>(items: ReadonlyArray<Item>, share: number): ReadonlyArray<Item> =>
  items.slice(0, Math.floor(items.length * share + 1e-9))
