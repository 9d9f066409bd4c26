// What a webhook about page views or companies sends: which pages, whose, and how often.
import type { VisitorWebhook, VisitorWebhookAgain, VisitorWebhookIdentified } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { listsQuery } from "../queries.ts"
import { BlankChoice, BlankText } from "../ui/blank.tsx"
import type { Choice } from "../ui/field.tsx"

export type AlertChoice = Pick<
  VisitorWebhook,
  "again" | "identified" | "listId" | "minSeconds" | "path"
>

/** For a new webhook, and for a trigger that has no use for it. */
export const alertDefault: AlertChoice = {
  path: null,
  minSeconds: null,
  listId: null,
  identified: null,
  again: null,
}

/** As API parameters: only what the trigger has a use for. */
export const alertParams = (
  trigger: VisitorWebhook["trigger"],
  { again, listId, ...ofPages }: AlertChoice,
): Partial<AlertChoice> => {
  if (trigger === "page_viewed") return { ...ofPages, listId, again }
  return trigger === "company_seen" ? { listId, again } : {}
}

/** For example `/pricing, visible for 20 seconds`; undefined if the webhook is not about pages. */
export const pageWords = ({ minSeconds, path }: AlertChoice): string | undefined => {
  if (minSeconds === null) return undefined
  const page = path ?? "every page"
  return minSeconds === 0 ? page : `${page}, visible for ${minSeconds} seconds`
}

export const identifiedChoices: ReadonlyArray<Choice<VisitorWebhookIdentified>> = [
  { value: "any", text: "anyone" },
  { value: "identified", text: "known people" },
  { value: "anonymous", text: "anonymous visitors of companies" },
]

export const againChoices: ReadonlyArray<Choice<VisitorWebhookAgain>> = [
  { value: "every_session", text: "in every visit" },
  { value: "1h", text: "at most once an hour" },
  { value: "24h", text: "at most once a day" },
  { value: "7d", text: "at most once in 7 days" },
  { value: "once", text: "only once" },
]

interface AlertFieldsProps {
  readonly trigger: "company_seen" | "page_viewed"
  readonly value: AlertChoice
  readonly onValue: (value: AlertChoice) => void
}

export const AlertFields = ({ onValue, trigger, value }: AlertFieldsProps) => {
  const { data: lists = [] } = useQuery(listsQuery)
  const [seconds, setSeconds] = useState(String(value.minSeconds ?? 0))
  const isOfPages = trigger === "page_viewed"
  const choices = lists
    .filter(({ subject }) => isOfPages || subject === "companies")
    .map(({ id, name }) => ({ value: id, text: name }))
  const isListed = value.listId === null || choices.some((choice) => choice.value === value.listId)
  return (
    <>
      {isOfPages && (
        <>
          {" under "}
          <BlankText
            label="Page"
            title="A path with everything below it, such as /pricing. Empty for every page."
            placeholder="every page"
            maxLength={500}
            value={value.path ?? ""}
            onValue={(path) => onValue({ ...value, path: path.trim() === "" ? null : path })}
          />
          {" for "}
          <BlankText
            label="Seconds visible"
            title="0 to 600. How long the page has to be visible."
            type="number"
            min={0}
            max={600}
            required
            value={seconds}
            onValue={(text) => {
              setSeconds(text)
              onValue({ ...value, minSeconds: Number(text) })
            }}
          />
          {" seconds by "}
          <BlankChoice
            label="Whose visits"
            choices={identifiedChoices}
            value={value.identified ?? "any"}
            onValue={(identified) => onValue({ ...value, identified })}
          />
        </>
      )}
      {" from "}
      <BlankChoice
        label="List"
        choices={[
          { value: "", text: "anywhere" },
          ...choices,
          ...(isListed ? [] : [{ value: value.listId ?? "", text: "A list" }]),
        ]}
        value={value.listId ?? ""}
        onValue={(listId) => onValue({ ...value, listId: listId === "" ? null : listId })}
      />
    </>
  )
}

/** How often it tells about the same person or company again. */
export const Again = ({ onValue, trigger, value }: AlertFieldsProps) => (
  <BlankChoice
    label="Again"
    choices={againChoices}
    value={value.again ?? (trigger === "page_viewed" ? "every_session" : "7d")}
    onValue={(again) => onValue({ ...value, again })}
  />
)
