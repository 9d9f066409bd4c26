// The topics of a web page, and the pages read before.
import type { ListMeta, SiteTopic, StoredSiteAnalysis } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Bars } from "../plots/bars.tsx"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Rest } from "../ui/rest.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { ListForm } from "./lists.tsx"
import "./topics.css"

type Analysis = Pick<StoredSiteAnalysis, "url" | "company" | "summary" | "keywords" | "topics">

export const SiteTopics = () => {
  const [address, setAddress] = useState("")
  const [shown, setShown] = useState<Analysis | null>(null)
  const analyze = useWrite({
    write: async (url: string) => ({ ...(await footfall.topics.analyze({ url })), url }),
    changes: [["site-topics"]],
    onDone: setShown,
  })
  return (
    <div className="topics-page">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const text = address.trim()
          analyze.mutate(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`)
        }}
      >
        <TextField
          label="Page URL"
          hint="For example your own site or a competitor's. The server reads it once, now."
          required
          maxLength={2048}
          value={address}
          onValue={setAddress}
        />
        <div className="row">
          <Button kind="primary" type="submit" isBusy={analyze.isPending}>
            {analyze.isPending ? "Reading the page…" : "Find its topics"}
          </Button>
        </div>
        <Problem error={analyze.error} title="The page could not be read" />
      </form>
      <div role="status">{shown !== null && <Result key={shown.url} analysis={shown} />}</div>
      <Earlier onOpen={setShown} />
    </div>
  )
}

const Result = ({ analysis }: { readonly analysis: Analysis }) => {
  const { canWrite } = useMe()
  const [isSaving, setSaving] = useState(false)
  const { company, keywords, summary, topics, url } = analysis
  return (
    <section className="card stack" aria-label="Result">
      <h2 className="break">{company ?? url}</h2>
      {summary !== null && <p className="break">{summary}</p>}
      {keywords.length > 0 && <p className="soft small break">{keywords.join(", ")}</p>}
      {topics.length === 0 ? (
        <p>No topic in the catalog fits this page.</p>
      ) : (
        <Bars label="Topics of the page" unit="Match" top={1} rows={rowsOf(topics)} />
      )}
      {canWrite && topics.length > 0 && (
        <div className="row">
          <Button onClick={() => setSaving(true)}>Save as a topic list</Button>
        </div>
      )}
      {isSaving && <ListForm topics={topics} onClose={() => setSaving(false)} />}
    </section>
  )
}

const rowsOf = (topics: ReadonlyArray<SiteTopic>) =>
  topics.map(({ matchedKeyword, similarity, topicId, topicName }) => ({
    name: String(topicId),
    title: (
      <>
        <Link to="/topics/$topicId" params={{ topicId: String(topicId) }} search={true}>
          {topicName}
        </Link>{" "}
        <span className="soft small">by “{matchedKeyword}”</span>
      </>
    ),
    value: similarity,
    text: `${Math.round(similarity * 100)}%`,
  }))

const Earlier = ({ onOpen }: { readonly onOpen: (analysis: Analysis) => void }) => {
  const analyses = usePages<StoredSiteAnalysis, ListMeta>({
    key: ["site-topics"],
    load: (cursor, signal) => footfall.siteTopics.list({ limit: 20, cursor }, { signal }),
  })
  if (analyses.error !== null) {
    return <Problem error={analyses.error} onRetry={analyses.retry} />
  }
  if (analyses.rows.length === 0) return null
  return (
    <section className="stack" aria-label="Pages that were read">
      <h2>Pages that were read</h2>
      <ul className="stack">
        {analyses.rows.map((analysis) => (
          <li key={analysis.id} className="spread">
            <Button kind="plain" className="break" onClick={() => onOpen(analysis)}>
              {analysis.url}
            </Button>
            <span className="soft small">
              <Time at={analysis.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <Rest pages={analyses} verb="Show more" />
    </section>
  )
}
