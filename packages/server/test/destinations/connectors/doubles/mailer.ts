// The interface of spec 2.17.5, for tests that deliver to each service: its lists have statuses and tags, and take no one off.
import { type ProviderContact, startMailerProvider } from "../../mailer-provider.ts"
import type { Double } from "../double.ts"

/** What a delivery needs of a double. */
export type Recipient = Pick<
  Double,
  | "url"
  | "violations"
  | "keepsRequests"
  | "close"
  | "credentials"
  | "listId"
  | "fieldMapping"
  | "newStatus"
  | "refusing"
  | "removable"
  | "hasTags"
  | "put"
  | "people"
>

export const startMailer = async (): Promise<Recipient> => {
  const provider = await startMailerProvider()
  const listId = "buyers"
  const { contacts } = provider.addList({ id: listId })
  return Object.assign(provider, {
    credentials: { apiKey: provider.apiKey },
    listId,
    fieldMapping: { FNAME: "firstName" },
    newStatus: "subscribed",
    refusing: ["unsubscribed", "pending"],
    removable: "subscribed",
    hasTags: true,
    put: (email: string, status: string | null) =>
      void contacts.set(email, {
        email,
        status: (status ?? "subscribed") as ProviderContact["status"],
        fields: {},
        tags: new Set(),
        writes: 0,
      }),
    people: () => [...contacts.values()].map((each) => ({ ...each, tags: [...each.tags] })),
  })
}
