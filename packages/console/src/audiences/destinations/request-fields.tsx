// What a webhook's requests look like: headers of its owner, the body and the template for each person, with a live
// preview beside them.
import {
  BadRequestError,
  type DestinationPreviewParams,
  type DestinationUpdateParams,
  type WebhookBody,
  type WebhookDestination,
} from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../../session/session.ts"
import { AreaField, CheckField, ChoiceField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { useSettled } from "../../ui/use-settled.ts"

export interface RequestChoice {
  /** One per line, `Name: value`. */
  readonly headerLines: string
  /** Names of stored headers to remove. */
  readonly removed: ReadonlyArray<string>
  readonly body: WebhookBody
  /** JSON text. */
  readonly template: string
}

const firstTemplate = `{
  "email": "{{contact.email}}",
  "name": "{{contact.fullName}}",
  "company": "{{contact.company.name}}"
}`

export const standardRequest: RequestChoice = {
  headerLines: "",
  removed: [],
  body: "standard",
  template: firstTemplate,
}

export const requestChoiceOf = ({
  body,
  template,
}: WebhookDestination["webhook"]): RequestChoice => ({
  ...standardRequest,
  body,
  template: template === null ? firstTemplate : JSON.stringify(template, null, 2),
})

interface Headers {
  readonly headers: Readonly<Record<string, string>>
  /** The first line that is no header. */
  readonly wrong: string | undefined
}

const headersIn = (text: string): Headers => {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const wrong = lines.find((line) => line.indexOf(":") < 1)
  return {
    headers: Object.fromEntries(
      lines.map((line) => {
        const place = line.indexOf(":")
        return [line.slice(0, place).trim(), line.slice(place + 1).trim()]
      }),
    ),
    wrong,
  }
}

/** Undefined if it is no JSON object. */
const templateIn = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

export const isRequestReady = ({ body, headerLines, template }: RequestChoice): boolean =>
  headersIn(headerLines).wrong === undefined &&
  (body !== "template" || templateIn(template) !== undefined)

/** What to create. */
export const requestParams = ({ body, headerLines, template }: RequestChoice) => {
  const { headers } = headersIn(headerLines)
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== "standard" && { body }),
    ...(body === "template" && { template: templateIn(template) }),
  } satisfies DestinationPreviewParams
}

/** What to change. Without a change nothing needs a new approval. */
export const requestChanges = (
  choice: RequestChoice,
  { webhook }: Pick<WebhookDestination, "webhook">,
): DestinationUpdateParams => {
  const headers = {
    ...Object.fromEntries(choice.removed.map((name) => [name, null])),
    ...headersIn(choice.headerLines).headers,
  }
  const isTemplate = choice.body === "template"
  const template = isTemplate ? templateIn(choice.template) : undefined
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(choice.body !== webhook.body && { body: choice.body }),
    ...(isTemplate &&
      JSON.stringify(template) !== JSON.stringify(webhook.template) && { template }),
  }
}

interface RequestFieldsProps {
  readonly audienceId: string
  readonly value: RequestChoice
  readonly onValue: (value: RequestChoice) => void
  /** Names of the headers that are stored. */
  readonly stored?: ReadonlyArray<string>
}

const nothing: ReadonlyArray<string> = []

export const RequestFields = ({
  audienceId,
  onValue,
  stored = nothing,
  value,
}: RequestFieldsProps) => {
  const { body, headerLines, removed, template } = value
  const { wrong } = headersIn(headerLines)
  return (
    <>
      {stored.length > 0 && (
        <fieldset className="stack">
          <legend className="label">Stored headers</legend>
          {stored.map((name) => (
            <CheckField
              key={name}
              label={`Keep ${name}`}
              value={!removed.includes(name)}
              onValue={(isKept) =>
                onValue({
                  ...value,
                  removed: isKept ? removed.filter((other) => other !== name) : [...removed, name],
                })
              }
            />
          ))}
        </fieldset>
      )}
      <AreaField
        label={stored.length > 0 ? "New headers" : "Headers"}
        hint="One per line, such as Authorization: Bearer … They are stored encrypted and not shown again."
        value={headerLines}
        wrong={wrong === undefined ? undefined : "Write each header as Name: value."}
        onValue={(headerLines) => onValue({ ...value, headerLines })}
      />
      <ChoiceField
        label="Body"
        choices={[
          { value: "standard", text: "Footfall's event" },
          { value: "cloudevents", text: "CloudEvents 1.0" },
          { value: "template", text: "A template for each person" },
        ]}
        value={body}
        onValue={(body) => onValue({ ...value, body })}
      />
      {body === "template" && (
        <AreaField
          label="Template"
          hint="A JSON object. {{contact.email}} and other paths of the event's data are filled in."
          value={template}
          wrong={templateIn(template) === undefined ? "Write a JSON object." : undefined}
          onValue={(template) => onValue({ ...value, template })}
        />
      )}
      {body !== "standard" && isRequestReady(value) && (
        <RequestPreview audienceId={audienceId} value={value} />
      )}
    </>
  )
}

const RequestPreview = ({
  audienceId,
  value,
}: Pick<RequestFieldsProps, "audienceId" | "value">) => {
  // Headers are checked when they are saved, so that a secret is sent only once.
  const { headers: _, ...shown } = requestParams(value)
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(shown))
  const { data, error, isFetching } = useQuery({
    queryKey: ["audiences", audienceId, "request-preview", settled],
    queryFn: ({ signal }) =>
      // The text was just made from such parameters.
      footfall.destinations.preview(audienceId, JSON.parse(settled) as DestinationPreviewParams, {
        signal,
      }),
    placeholderData: (before) => before,
    staleTime: 60_000,
    retry: false,
  })
  if (error instanceof BadRequestError) return <Wrong error={error} />
  if (error !== null) return <Problem error={error} title="Can't show a preview" />
  return (
    <section className="card stack" aria-label="Preview" aria-busy={isFetching}>
      <p className="soft small">For a sample person, the server would send:</p>
      {data !== undefined && (
        <pre className="snippet" role="region" tabIndex={0} aria-label="Body">
          {JSON.stringify(JSON.parse(data.body), null, 2)}
        </pre>
      )}
    </section>
  )
}

const templatePath = "/body/template"

const Wrong = ({ error }: { readonly error: BadRequestError }) => (
  <div role="status" className="stack">
    {error.issues.map(({ message, path }) => (
      <p key={`${path} ${message}`} className="wrong break">
        <code>{path.startsWith(templatePath) ? path.slice(templatePath.length) || "/" : path}</code>{" "}
        {message}
      </p>
    ))}
  </div>
)
