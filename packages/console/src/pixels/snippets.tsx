// How to send events from each kind of source. All it takes is a URL and a write key.
import type { WriteKeyKind } from "@footfall/sdk"
import { useState } from "react"
import { serverUrl } from "../session/addresses.ts"
import { Snippet } from "../ui/copy.tsx"
import { ChoiceField } from "../ui/field.tsx"

interface Source {
  readonly value: string
  readonly text: string
  /** Kind of write key it needs. */
  readonly kind: WriteKeyKind
  readonly snippet: (writeKey: string) => string
}

const sources: ReadonlyArray<Source> = [
  {
    value: "segment",
    text: "Segment, in Node",
    kind: "server",
    snippet: (writeKey) => `import { Analytics } from "@segment/analytics-node"

const analytics = new Analytics({
  writeKey: "${writeKey}",
  host: "${serverUrl}",
})
analytics.identify({ userId: "u_42", traits: { email: "jane@acme.example" } })
analytics.track({ userId: "u_42", event: "Demo Booked" })`,
  },
  {
    value: "rudderstack",
    text: "RudderStack, in Node",
    kind: "server",
    snippet: (writeKey) => `import RudderStack from "@rudderstack/rudder-sdk-node"

const client = new RudderStack("${writeKey}", {
  dataPlaneUrl: "${serverUrl}",
})
client.identify({ userId: "u_42", traits: { email: "jane@acme.example" } })
client.track({ userId: "u_42", event: "Demo Booked" })`,
  },
  {
    value: "backend",
    text: "your backend, over HTTP",
    kind: "server",
    snippet: (writeKey) => `curl ${serverUrl}/v1/batch -u "${writeKey}:" -d '{
  "batch": [
    {
      "type": "identify",
      "messageId": "invoice-1042-who",
      "userId": "u_42",
      "traits": { "email": "jane@acme.example" }
    },
    {
      "type": "track",
      "messageId": "invoice-1042",
      "userId": "u_42",
      "event": "Invoice Paid"
    }
  ]
}'`,
  },
  {
    value: "segment-browser",
    text: "Segment, on a site",
    kind: "browser",
    snippet: (writeKey) => `import { AnalyticsBrowser } from "@segment/analytics-next"

const analytics = AnalyticsBrowser.load({
  writeKey: "${writeKey}",
  cdnURL: "${serverUrl}",
})
analytics.page()`,
  },
]

interface SnippetsProps {
  readonly writeKey: string
  /** Show only the sources that take this kind of key. */
  readonly kind?: WriteKeyKind
}

export const Snippets = ({ writeKey, kind }: SnippetsProps) => {
  const fitting = sources.filter((source) => kind === undefined || source.kind === kind)
  const [chosen, setChosen] = useState(fitting[0]?.value ?? "")
  const source = fitting.find(({ value }) => value === chosen)
  return (
    <div className="stack">
      <ChoiceField label="Send events from" choices={fitting} value={chosen} onValue={setChosen} />
      {source !== undefined && <Snippet text={source.snippet(writeKey)} label="snippet" />}
    </div>
  )
}
